# SPDX-License-Identifier: Apache-2.0
"""A negative step counts down."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def range_down(O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in range(10, 0, -3):
            total = total * 3 + k
        O[i] = total
