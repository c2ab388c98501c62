# SPDX-License-Identifier: Apache-2.0
"""Logic on bools and on numbers, which count as true when not 0."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bool_operators(
    A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.bool), O: T.Tensor((n, 6), T.bool)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] and B[i]
        O[i, 1] = A[i] or B[i]
        O[i, 2] = not A[i]
        O[i, 3] = ~B[i]
        O[i, 4] = B[i] & (A[i] > 3)
        O[i, 5] = B[i] ^ (A[i] > 3)
