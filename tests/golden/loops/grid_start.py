# SPDX-License-Identifier: Apache-2.0
"""An extent may be (start, extent)."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_start(O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for a, b in T.grid((2, 3), 2):
            total = total * 7 + a * 2 + b
        O[i] = total
