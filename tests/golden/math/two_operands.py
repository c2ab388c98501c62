# SPDX-License-Identifier: Apache-2.0
"""Functions of two floats."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def two_operands(
    A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), O: T.Tensor((n, 6), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.pow(A[i], B[i])
        O[i, 1] = T.hypot(A[i], B[i])
        O[i, 2] = T.atan2(A[i], B[i])
        O[i, 3] = T.copysign(A[i], B[i])
        O[i, 4] = T.fmod(A[i], B[i])
        O[i, 5] = T.nextafter(A[i], B[i])
