# SPDX-License-Identifier: Apache-2.0
"""A chain holds when each link does."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def chained_comparison(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 2), T.bool)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = -3 <= A[i] < 5
        O[i, 1] = 0 < A[i] != 4
