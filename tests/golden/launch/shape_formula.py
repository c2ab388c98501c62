# SPDX-License-Identifier: Apache-2.0
"""A symbol is solved from a shape that is a formula of it."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def shape_formula(A: T.Tensor((n * 2 + 1,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i * 2] + A[i * 2 + 1] + A[n * 2]
