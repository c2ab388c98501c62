# SPDX-License-Identifier: Apache-2.0
"""Set bits and leading zeros, in 32 and in 64 bits."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def count_bits(
    A: T.Tensor((n,), T.uint32), B: T.Tensor((n,), T.int64), O: T.Tensor((n, 4), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.popcount(A[i])
        O[i, 1] = T.clz(A[i])
        O[i, 2] = T.popcount(B[i])
        O[i, 3] = T.clz(B[i])
