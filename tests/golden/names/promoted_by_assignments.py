# SPDX-License-Identifier: Apache-2.0
"""The type of a mutable name is the promotion of all that is assigned."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def promoted_by_assignments(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x = 1
        if A[i] > 0.0:
            x = A[i]
        O[i] = x
