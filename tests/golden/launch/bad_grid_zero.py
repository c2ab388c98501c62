# SPDX-License-Identifier: Apache-2.0
"""A grid of 0 blocks that is written down."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_zero(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=0, block=32))
    A[0] = 1
