# SPDX-License-Identifier: Apache-2.0
"""Shuffles end regions; the scalar and the local array that live across them have one element a
thread."""

from tirxcc.script import tirx as T


@T.function
def warp_sum(A: T.Tensor((64,), T.float32), B: T.Tensor((2,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    both = T.alloc_local((2,), "float32")
    both[0] = A[t]
    both[1] = A[t] * 0.5
    total: T.float32 = both[0]
    for k in T.unroll(5):
        total += T.cuda.__shfl_down_sync(0xFFFFFFFF, total, 16 >> k, 32)
    if t % 32 == 0:
        B[t // 32] = total + both[1]
