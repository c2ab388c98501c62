# SPDX-License-Identifier: Apache-2.0
"""Every parameter says its type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def parameter_without_type(A, B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
