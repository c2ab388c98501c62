# SPDX-License-Identifier: Apache-2.0
"""Each block waits for the one behind it, so all of them must be under way."""

from tirxcc.script import tirx as T


@T.function
def blocks_in_turn(
    A: T.Tensor((40, 64), T.int32), B: T.Tensor((40, 64), T.int32), F: T.Tensor((41,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=40, block=64))
    b = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    if t == 0:
        while T.cuda.atomic_add(F.ptr_to([b + 1]), 0) == 0:
            T.cuda.nano_sleep(20)
        T.cuda.thread_fence()
    T.cuda.cta_sync()
    B[b, t] = A[b, t]
    if b < 39:
        B[b, t] += B[b + 1, t]
    T.cuda.thread_fence()
    T.cuda.cta_sync()
    if t == 0:
        T.cuda.atomic_exch(F.ptr_to([b]), 1)
