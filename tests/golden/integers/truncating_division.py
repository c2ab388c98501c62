# SPDX-License-Identifier: Apache-2.0
"""truncdiv and truncmod are C's division."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def truncating_division(
    A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32), O: T.Tensor((n, 3), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.truncdiv(A[i], B[i])
        O[i, 1] = T.truncmod(A[i], B[i])
        O[i, 2] = T.ceildiv(A[i], B[i])
