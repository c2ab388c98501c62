# SPDX-License-Identifier: Apache-2.0
"""Several functions make one header; a function of two launches has no entry for its blocks."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def scale(A: T.Tensor((n,), T.float32), by: T.float32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] * by


@T.function
def mean(A: T.Tensor((n,), T.float32)) -> T.float32:
    total: T.float32 = 0.0
    for i in range(n):
        total += A[i]
    return total / T.float32(n)
