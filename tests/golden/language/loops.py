# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Loops"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def loops(A: T.Tensor((n, 4), T.float32), B: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    for k in range(4):
        B[i, k] = A[i, k]
    for k in range(3, -1, -1):
        if A[i, k] < 0.0:
            break
        B[i, k] *= 2.0
    for k in T.unroll(2):
        B[i, k] += 1.0
    for v in T.vectorized(4):
        B[i, v] = B[i, v] + A[i, v]
    for r, c in T.grid(2, 2):
        B[i, r * 2 + c] += r
    left = 4
    while left > 0:
        left //= 2
        B[i, left] += 1.0
