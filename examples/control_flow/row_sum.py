# SPDX-License-Identifier: Apache-2.0
"""Sums of the rows of an n x 64 matrix: a loop around an unrolled loop, one mutable total."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def row_sum(A: T.Tensor((n, 64), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for j in range(16):
            for k in T.unroll(4):
                total += A[i, j * 4 + k]
        B[i] = total
