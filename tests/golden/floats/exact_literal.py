# SPDX-License-Identifier: Apache-2.0
"""A literal is rounded once, to the type that it meets."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def exact_literal(A: T.Tensor((n,), T.float64), O: T.Tensor((n,), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i] * 0.1 + 0.2
