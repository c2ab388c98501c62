# SPDX-License-Identifier: Apache-2.0
"""Operators as functions."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def function_forms(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 6), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.floordiv(A[i], 3) + T.floormod(A[i], 3)
        O[i, 1] = T.bitwise_and(A[i], 15) + T.shift_left(A[i], 2)
        O[i, 2] = T.Add(A[i], T.Mul(A[i], 2)) - T.Sub(A[i], 1)
        O[i, 3] = T.ceildiv(A[i], 4) + T.cdiv(A[i], 5) + T.ceil_div(A[i], 6)
        O[i, 4] = T.bitwise_or(T.bitwise_xor(A[i], 5), T.bitwise_not(A[i]))
        O[i, 5] = 1 if T.And(A[i] > 2, T.Or(A[i] < 9, T.Not(A[i] == 20))) else 0
