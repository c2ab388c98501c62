# SPDX-License-Identifier: Apache-2.0
"""The absolute value of floats and integers; the smallest integer stays itself."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def absolute(
    A: T.Tensor((n,), T.float32),
    B: T.Tensor((n,), T.int32),
    O: T.Tensor((n, 2), T.float32),
    P: T.Tensor((n,), T.int32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.abs(A[i])
        O[i, 1] = T.fabs(A[i])
        P[i] = T.abs(B[i])
