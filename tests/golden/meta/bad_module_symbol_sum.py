# SPDX-License-Identifier: Apache-2.0
"""Symbols are not computed with at module level."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

twice = n * 2


@T.function
def module_symbol_sum(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = twice
