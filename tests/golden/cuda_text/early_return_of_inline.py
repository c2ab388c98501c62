# SPDX-License-Identifier: Apache-2.0
"""An inline function that returns early leaves its block."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.inline
def magnitude(x):
    if x > 0:
        return x
    return -x


@T.function
def early_return_of_inline(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = magnitude(A[i]) + magnitude(i)
