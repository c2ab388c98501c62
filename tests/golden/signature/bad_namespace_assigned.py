# SPDX-License-Identifier: Apache-2.0
"""The name of the language cannot be given away."""

from tirxcc.script import tirx as T


@T.function
def namespace_assigned(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    T = A[0]
