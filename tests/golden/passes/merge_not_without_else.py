# SPDX-License-Identifier: Apache-2.0
# pass: merge_branch_stores
# target: cpu
"""A side that stores nothing: the element must not be touched."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def merge_not_without_else(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
