# SPDX-License-Identifier: Apache-2.0
# pass: jam_threads
# target: cpu
"""Threads with bounds of their own do not run side by side."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def jam_threads_not_own_bounds(A: T.Tensor((n, 64), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for k in range(i % 64):
            total += A[i, k]
        B[i] = total
