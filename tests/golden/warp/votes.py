# SPDX-License-Identifier: Apache-2.0
"""Votes of a warp: any, all, which lanes; and the lanes that are there."""

from tirxcc.script import tirx as T


@T.function
def votes(A: T.Tensor((32,), T.int32), O: T.Tensor((32, 4), T.int32), M: T.Tensor((32,), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    full = T.cuda.__activemask()
    M[t] = T.cuda.ballot_sync(full, A[t] > 0)
    O[t, 0] = T.cuda.any_sync(0xFFFFFFFF, A[t] > 5)
    O[t, 1] = T.cuda.all_sync(0xFFFFFFFF, A[t])
    if T.cuda.any_sync(0xFFFFFFFF, A[t] < 0):
        O[t, 2] = T.popcount(T.cuda.ballot_sync(4294967295, A[t] < 0))
    if t < 16:
        O[t, 3] = T.cuda.all_sync(0xFFFF, A[t] != 3)
