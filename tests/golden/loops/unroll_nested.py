# SPDX-License-Identifier: Apache-2.0
"""Unrolled loops in each other, the inner extent from the outer index."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_nested(A: T.Tensor((n, 6), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for r in T.unroll(3):
            for k in T.unroll(r + 1):
                total = total * 7 + A[i, r * (r + 1) // 2 + k]
        O[i] = total
