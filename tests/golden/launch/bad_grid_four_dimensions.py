# SPDX-License-Identifier: Apache-2.0
"""There are one to three dimensions."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_four_dimensions(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(1, 2, 3, 4), block=32))
    A[0] = 1
