# SPDX-License-Identifier: Apache-2.0
"""Sums and minima of a warp in one instruction."""

from tirxcc.script import tirx as T


@T.function
def reductions(A: T.Tensor((32,), T.uint32), O: T.Tensor((32, 2), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    O[t, 0] = T.cuda.reduce_add_sync_u32(0xFFFFFFFF, A[t])
    O[t, 1] = T.cuda.reduce_min_sync_u32(0xFFFFFFFF, A[t])
