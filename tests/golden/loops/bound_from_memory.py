# SPDX-License-Identifier: Apache-2.0
"""A bound read from memory that the body writes is read once."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bound_from_memory(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        turns: T.int32 = 0
        for k in range(A[i]):
            A[i] = 0
            turns += 1
        O[i] = turns
