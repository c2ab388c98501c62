# SPDX-License-Identifier: Apache-2.0
"""A lane that reads and writes its own element uses one register."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def wide_in_place(A: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            A[i, k] = A[i, k] * 3
            A[i, k] += k
