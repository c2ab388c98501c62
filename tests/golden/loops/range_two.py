# SPDX-License-Identifier: Apache-2.0
"""range(a, b) with run-time bounds; an empty range makes no turn."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def range_two(A: T.Tensor((n, 2), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in range(A[i, 0], A[i, 1]):
            total = total * 3 + k
        O[i] = total
