# SPDX-License-Identifier: Apache-2.0
# pass: lower_division
# target: cuda
"""Anything else keeps the floor."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def division_general(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] // 10 + A[i] % (A[i] + 1)
