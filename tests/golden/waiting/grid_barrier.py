# SPDX-License-Identifier: Apache-2.0
"""A barrier of all blocks, made of an atomic counter: each block reads what others wrote before."""

from tirxcc.script import tirx as T


@T.function
def grid_barrier(A: T.Tensor((24, 32), T.int32), C: T.Tensor((1,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=24, block=32))
    b = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    for turn in range(3):
        value = A[(b + 7) % 24, 31 - t]
        for half in T.unroll(2):
            T.cuda.thread_fence()
            T.cuda.cta_sync()
            if t == 0:
                T.cuda.atomic_add(C.ptr_to([0]), 1)
                while T.cuda.atomic_add(C.ptr_to([0]), 0) < 24 * (2 * turn + half + 1):
                    pass
            T.cuda.cta_sync()
            if half == 0:
                A[b, t] = value * 2 + turn
