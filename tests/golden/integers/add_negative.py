# SPDX-License-Identifier: Apache-2.0
"""A negative literal on the right of a sum prints as a difference, and the other way round."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
BACK = -2


@T.function
def add_negative(
    A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int8), C: T.Tensor((n,), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if 4 <= i and i < n:
        A[i] = A[i + BACK] + -3
        A[i] = A[i] - -7
        A[i] = A[i] + -2147483648
        B[i] = B[i] + T.int8(-5)
        B[i] = B[i] + T.int8(-128)
        C[i] = C[i] + -0.5
        C[i] = C[i] - -1.5
        C[i] = C[i] + -0.0
