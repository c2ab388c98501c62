# SPDX-License-Identifier: Apache-2.0
"""T.grid with three extents: the last runs fastest."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_three(O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for a, b, c in T.grid(2, 3, 2):
            total = total * 3 + a + b + c
        O[i] = total
