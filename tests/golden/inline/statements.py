# SPDX-License-Identifier: Apache-2.0
"""A function of statements; its names are fresh in each expansion."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.inline
def row_sum(X, row, out):
    total: T.float32 = 0.0
    for c in range(16):
        total += X[row, c]
    out[row] = total


@T.function
def sums(
    A: T.Tensor((n, 16), T.float32),
    B: T.Tensor((n, 16), T.float32),
    S: T.Tensor((n,), T.float32),
    R: T.Tensor((n,), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        row_sum(A, i, S)
        row_sum(B, i, R)
