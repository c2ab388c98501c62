# SPDX-License-Identifier: Apache-2.0
"""A small whole exponent is a product."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def power(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 3), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] ** 0
        O[i, 1] = A[i] ** 2
        O[i, 2] = A[i] ** 3
