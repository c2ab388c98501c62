# SPDX-License-Identifier: Apache-2.0
"""A negative grid."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_negative(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(4, -1), block=32))
    A[0] = 1
