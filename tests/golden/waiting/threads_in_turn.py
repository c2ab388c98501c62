# SPDX-License-Identifier: Apache-2.0
"""Threads of a block wait for each other's flags, the last one goes first."""

from tirxcc.script import tirx as T


@T.function
def threads_in_turn(A: T.Tensor((96,), T.int32), B: T.Tensor((96,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=96))
    t = T.cuda.thread_idx("x")
    flags = T.alloc_shared((97,), "int32")
    sums = T.alloc_shared((97,), "int32")
    flags[t] = 0
    if t == 95:
        sums[96] = 0
        flags[96] = 1
    T.cuda.cta_sync()
    while T.cuda.atomic_add(flags.ptr_to([t + 1]), 0) == 0:
        T.cuda.nano_sleep(20)
    T.cuda.thread_fence_block()
    sums[t] = sums[t + 1] + A[t]
    B[t] = sums[t]
    T.cuda.thread_fence_block()
    T.cuda.atomic_exch(flags.ptr_to([t]), 1)
