# SPDX-License-Identifier: Apache-2.0
"""The sides of a conditional expression promote to one type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def conditional_expression(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i] if A[i] > 0 else 1.5
