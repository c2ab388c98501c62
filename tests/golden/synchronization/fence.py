# SPDX-License-Identifier: Apache-2.0
"""A fence orders the stores of one thread."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def fence(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i]
        T.cuda.thread_fence()
        O[i, 1] = A[i] + 1
