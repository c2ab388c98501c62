# SPDX-License-Identifier: Apache-2.0
"""Unsigned values are never below zero."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def constant_comparison(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.uint8)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if A[i] < -1:
        A[i] = 1
    if B[i] > 300:
        A[i] = nothing
