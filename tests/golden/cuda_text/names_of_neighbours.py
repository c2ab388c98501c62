# SPDX-License-Identifier: Apache-2.0
"""Scopes side by side use a name again; an inner scope may not hide an outer one."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def names_of_neighbours(A: T.Tensor((n, 4), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in range(4):
            twice = A[i, k] * 2
            total += twice
        for k in range(4):
            twice = A[i, k] * 3
            for n_1 in range(2):
                total -= twice + n_1
        O[i] = total
