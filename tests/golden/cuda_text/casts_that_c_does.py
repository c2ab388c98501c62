# SPDX-License-Identifier: Apache-2.0
"""A cast prints only where C would give another value or type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def casts_that_c_does(
    A: T.Tensor((n,), T.int32),
    U: T.Tensor((n,), T.uint32),
    L: T.Tensor((n,), T.int64),
    F: T.Tensor((n,), T.float32),
    D: T.Tensor((n,), T.float64),
    O: T.Tensor((n, 8), T.float64),
    P: T.Tensor((n, 6), T.int64),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] * F[i]
        O[i, 1] = A[i] * 0.5
        O[i, 2] = T.float32(A[i]) / T.float32(U[i])
        O[i, 3] = T.float32(D[i]) * F[i]
        O[i, 4] = F[i] * D[i]
        O[i, 5] = T.float32(D[i])
        O[i, 6] = T.float16(F[i])
        O[i, 7] = A[i] if A[i] > 0 else D[i]
        P[i, 0] = A[i] + L[i]
        P[i, 1] = T.int64(A[i]) * A[i]
        P[i, 2] = A[i] + U[i]
        P[i, 3] = A[i] + T.int32(U[i])
        P[i, 4] = T.int64(A[i]) << 40
        P[i, 5] = T.int32(F[i]) + T.int64(F[i])
