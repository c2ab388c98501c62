# SPDX-License-Identifier: Apache-2.0
"""The address of an element, as C has it."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    T.cuda.atomic_add(&A[0], 1.0)
