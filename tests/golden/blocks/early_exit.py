# SPDX-License-Identifier: Apache-2.0
"""Threads that have ended do not count at a barrier."""

from tirxcc.script import tirx as T


@T.function
def early_exit(A: T.Tensor((100,), T.int32), B: T.Tensor((100,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((128,), T.int32)
    if t >= 100:
        T.gpu_thread_return()
    S[t] = A[t]
    T.cuda.cta_sync()
    B[t] = S[99 - t]
