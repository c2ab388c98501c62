# SPDX-License-Identifier: Apache-2.0
# pass: merge_branch_stores
# target: cpu
"""Both sides store to one element: one store of a choice."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def merge_if_else(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
        else:
            B[i] = 0.0
