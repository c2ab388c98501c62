# SPDX-License-Identifier: Apache-2.0
"""T.if_then_else takes a condition and two values."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def if_then_else_arguments(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = T.if_then_else(A[i] > 0.0, A[i])
