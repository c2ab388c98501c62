# SPDX-License-Identifier: Apache-2.0
"""T.if_then_else is the same as an expression."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def if_then_else(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 2), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.if_then_else(A[i] > 0, A[i], 1.5)
        O[i, 1] = T.if_then_else(i + 1 < n, A[T.min(i + 1, n - 1)], -1)
