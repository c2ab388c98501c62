# SPDX-License-Identifier: Apache-2.0
"""A kernel that asks only for its place in the grid: one loop, its guard a bound, streamed."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def one_loop(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
        else:
            B[i] = 0.0
