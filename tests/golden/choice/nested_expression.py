# SPDX-License-Identifier: Apache-2.0
"""Choices within choices keep their parentheses where C needs them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def nested_expression(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = 1 + (A[i] if A[i] > 0 else (2 if A[i] < -3 else 3)) * 2
