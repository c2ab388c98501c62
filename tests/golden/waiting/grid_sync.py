# SPDX-License-Identifier: Apache-2.0
"""The barrier of the grid: each block reads what another one wrote before it."""

from tirxcc.script import tirx as T


@T.function
def grid_sync(A: T.Tensor((24, 32), T.int32), B: T.Tensor((24, 32), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=24, block=32, cooperative=True))
    b = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    B[b, t] = A[b, t] * 2
    T.cuda.grid_sync()
    value = B[(b + 7) % 24, 31 - t]
    T.cuda.grid_sync()
    B[b, t] = value
