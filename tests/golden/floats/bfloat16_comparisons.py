# SPDX-License-Identifier: Apache-2.0
"""Comparisons of bfloat16; a NaN is unequal to everything."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bfloat16_comparisons(
    A: T.Tensor((n,), T.bfloat16), B: T.Tensor((n,), T.bfloat16), O: T.Tensor((n, 6), T.bool)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] < B[i]
        O[i, 1] = A[i] <= B[i]
        O[i, 2] = A[i] > B[i]
        O[i, 3] = A[i] >= B[i]
        O[i, 4] = A[i] == B[i]
        O[i, 5] = A[i] != B[i]
