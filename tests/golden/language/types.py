# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Types"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def types(
    U: T.Tensor((n,), T.uint8),
    A: T.Tensor((n,), T.int64),
    H: T.Tensor((n,), T.float16),
    F: T.Tensor((n,), T.float32),
    D: T.Tensor((n,), T.float64),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] + 1
        F[i] = U[i] * 2 + (U[i] + U[i])
        H[i] = H[i] * 2
        D[i] = D[i] * 0.1
        c: T.float64 = 0.1
        D[i] = D[i] + c
