# SPDX-License-Identifier: Apache-2.0
# pass: fission_at_barriers
# target: cpu
"""Threads that decide for themselves note where they go on; the barrier counts who is there."""

from tirxcc.script import tirx as T


@T.function
def fission_uneven(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    if A[t] < 0:
        T.gpu_thread_return()
    while A[t] > 0:
        A[t] -= 1
        T.cuda.cta_sync()
    A[t] = 7
