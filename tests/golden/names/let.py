# SPDX-License-Identifier: Apache-2.0
"""T.let names a value of its own type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def let(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x: T.let = A[i] + 1
        y: T.let[T.int32] = x * 2
        O[i] = y
