# SPDX-License-Identifier: Apache-2.0
"""Shuffles in groups of lanes, a vote, and the lanes that are in a branch."""

from tirxcc.script import tirx as T


@T.function
def shuffles(
    A: T.Tensor((128,), T.float32),
    B: T.Tensor((128,), T.float32),
    C: T.Tensor((4,), T.uint32),
    D: T.Tensor((128,), T.int32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
    t = T.cuda.thread_idx("x")
    v: T.float32 = A[t]
    v = v + T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 16, 32)
    v = v + T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 8, 32)
    v += T.cuda.__shfl_down_sync(0xFFFFFFFF, v, 3, 8)
    v += T.cuda.__shfl_up_sync(0xFFFFFFFF, v, 2, 16)
    B[t] = v
    w = T.cuda.ballot_sync(0xFFFFFFFF, A[t] > 0.0)
    if t % 32 == 0:
        C[t // 32] = w
    d: T.int32 = 0
    if t % 3 == 0:
        d = T.int32(T.cuda.__activemask())
        if T.cuda.elect_sync():
            d += 1
    D[t] = d
