# SPDX-License-Identifier: Apache-2.0
"""A whole tensor in a comparison."""

from tirxcc.script import tirx as T


@T.function
def f(A: T.Tensor((4, 4), T.float32), B: T.Tensor((4,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=1))
    if A > 0:
        A[0, 0] = 1.0
    if 0 == B:
        A[0, 1] = 1.0
