# SPDX-License-Identifier: Apache-2.0
"""Barriers that count votes of the whole block."""

from tirxcc.script import tirx as T


@T.function
def block_votes(A: T.Tensor((128,), T.int32), O: T.Tensor((128, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
    t = T.cuda.thread_idx("x")
    O[t, 0] = T.cuda.syncthreads_and(A[t] > 0)
    O[t, 1] = T.cuda.syncthreads_or(A[t] == 7)
