# SPDX-License-Identifier: Apache-2.0
"""Conditions that the block cannot know: each says which name is not even, and why."""

from tirxcc.script import tirx as T


@T.function
def threads_decide(A: T.Tensor((64,), T.int32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    half = t // 2
    turns: T.int32 = 0
    if A[t] < 0:
        T.gpu_thread_return()
    if half > m:
        T.cuda.cta_sync()
    while turns < half:
        T.cuda.cta_sync()
        turns += A[turns]
    for k in range(half):
        if k == 3:
            break
        T.cuda.cta_sync()
    A[t] = turns
