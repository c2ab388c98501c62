# SPDX-License-Identifier: Apache-2.0
"""Literals carry the suffix of their type; the smallest values are differences."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def integer_literals(
    U: T.Tensor((n, 3), T.uint32),
    L: T.Tensor((n, 3), T.int64),
    M: T.Tensor((n, 2), T.uint64),
    A: T.Tensor((n, 2), T.int32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        U[i, 0] = 0xFFFFFFFF
        U[i, 1] = 4000000000
        U[i, 2] = U[i, 1] + 1
        L[i, 0] = -9223372036854775808
        L[i, 1] = 3000000000
        L[i, 2] = L[i, 1] - 1
        M[i, 0] = 18446744073709551615
        M[i, 1] = 0xF0
        A[i, 0] = -2147483648
        A[i, 1] = A[i, 0] & 0xFF
