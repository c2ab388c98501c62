# SPDX-License-Identifier: Apache-2.0
"""A tuple's right sides are all evaluated first."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def swap(A: T.Tensor((n, 2), T.int32), O: T.Tensor((n, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        a: T.int32 = A[i, 0]
        b: T.int32 = A[i, 1]
        a, b = b, a - b
        O[i, 0], O[i, 1] = a, b
