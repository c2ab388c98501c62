# SPDX-License-Identifier: Apache-2.0
"""Logarithms; log1p is exact for small arguments."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def logarithm(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.log(A[i])
        O[i, 1] = T.log2(A[i])
        O[i, 2] = T.log10(A[i])
        O[i, 3] = T.log1p(A[i])
