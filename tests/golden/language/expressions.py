# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Expressions"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def expressions(
    A: T.Tensor((n,), T.int32), H: T.Tensor((n,), T.float16), B: T.Tensor((n,), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] // 3 + A[i] % 8
        A[i] = i // 4 + (A[i] >> 2 & 0xFF)
        B[i] = T.float32(A[i]) / 3.0
        B[i] = T.sqrt(T.abs(B[i])) + B[i] ** 2
        H[i] = H[i] * 2
        H[i] = H[i] * 2.5
        A[i] = T.int32(B[i])
