# SPDX-License-Identifier: Apache-2.0
"""A run-time continue goes on with the next copy."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_continue(A: T.Tensor((n, 4), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        count: T.int32 = 0
        for k in T.unroll(4):
            if A[i, k] < 0:
                continue
            count += A[i, k]
        O[i] = count
