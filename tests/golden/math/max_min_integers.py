# SPDX-License-Identifier: Apache-2.0
"""Integers of different types are promoted first."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def max_min_integers(
    A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int64), O: T.Tensor((n, 2), T.int64)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.max(A[i], B[i])
        O[i, 1] = T.min(A[i], B[i])
