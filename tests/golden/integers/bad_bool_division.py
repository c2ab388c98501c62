# SPDX-License-Identifier: Apache-2.0
"""Bools are not divided."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bool_division(A: T.Tensor((n,), T.bool), B: T.Tensor((n,), T.bool)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = A[i] // B[i]
