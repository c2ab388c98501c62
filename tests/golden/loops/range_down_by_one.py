# SPDX-License-Identifier: Apache-2.0
"""The common way down: the last index first, the bound is -1."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def range_down_by_one(A: T.Tensor((n, 8), T.int32), O: T.Tensor((n, 8), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in range(7, -1, -1):
            O[i, 7 - k] = A[i, k]
