# SPDX-License-Identifier: Apache-2.0
"""A left side that cannot be negative divides as C divides."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def divide_nonnegative(O: T.Tensor((n, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = i // 7
        O[i, 1] = i % 7
