# SPDX-License-Identifier: Apache-2.0
"""Assigned in both branches, read after them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def assigned_in_branches(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            x = A[i]
        else:
            x = -A[i]
        O[i] = x + 1.0
