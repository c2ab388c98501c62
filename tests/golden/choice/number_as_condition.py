# SPDX-License-Identifier: Apache-2.0
"""A number is true when it is not 0."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def number_as_condition(
    A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = 0
        if A[i]:
            O[i] += 1
        if not B[i]:
            O[i] += 2
        if A[i] and B[i]:
            O[i] += 4
