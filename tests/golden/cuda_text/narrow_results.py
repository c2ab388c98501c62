# SPDX-License-Identifier: Apache-2.0
"""Narrow integers wrap at their own width where the wider value would be seen."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def narrow_results(
    A: T.Tensor((n,), T.uint8),
    B: T.Tensor((n,), T.int16),
    C: T.Tensor((n,), T.uint16),
    O: T.Tensor((n, 8), T.int32),
    P: T.Tensor((n, 2), T.uint8),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] + A[i]
        O[i, 1] = (A[i] + A[i]) >> 1
        O[i, 2] = B[i] * B[i] + B[i]
        O[i, 3] = C[i] * C[i]
        O[i, 4] = ~A[i]
        O[i, 5] = -B[i]
        if A[i] + A[i] < A[i]:
            O[i, 6] = T.abs(T.int8(A[i]))
        O[i, 7] = T.max(A[i] + A[i], A[i])
        P[i, 0] = A[i] + A[i] + A[i]
        P[i, 1] = (A[i] << 1) & A[i]
