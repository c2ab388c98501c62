# SPDX-License-Identifier: Apache-2.0
"""The loop variable takes the type of its bounds."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def int64_bounds(A: T.Tensor((n,), T.int64), O: T.Tensor((n,), T.int64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int64 = 0
        for k in range(A[i], A[i] + 3):
            total += k
        O[i] = total
