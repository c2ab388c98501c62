# SPDX-License-Identifier: Apache-2.0
"""One target takes all indices as a tuple."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_one_target(O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for at in T.grid(2, 3):
            total = total * 5 + at[0] * 3 + at[1]
        O[i] = total
