# SPDX-License-Identifier: Apache-2.0
"""What is each thread's own needs no atomics."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    mine = T.alloc_local((4,), "int32")
    T.cuda.atomic_add(mine.ptr_to([0]), 1)
    p = mine.ptr_to([1])
    T.cuda.atomic_add(p, 1)
