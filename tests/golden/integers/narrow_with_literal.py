# SPDX-License-Identifier: Apache-2.0
"""Narrow integers with a literal compute in int32 and store what fits."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def narrow_with_literal(A: T.Tensor((n,), T.uint8), O: T.Tensor((n,), T.uint8)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i] * 3 + 250
