# SPDX-License-Identifier: Apache-2.0
"""Sums and products of bools are bools."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bool_sums(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 4), T.bool)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = (A[i] > 2) + (A[i] > 4)
        O[i, 1] = (A[i] > 2) * (A[i] > 4)
        O[i, 2] = (A[i] > 2) - (A[i] > 4)
        O[i, 3] = ~(A[i] > 2)
