# SPDX-License-Identifier: Apache-2.0
"""Thirty-two bytes are two accesses of sixteen."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def wide_doubles(A: T.Tensor((n, 4), T.float64), O: T.Tensor((n, 4), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            O[i, k] = A[i, k] * 2.0
