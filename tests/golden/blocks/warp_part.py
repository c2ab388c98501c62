# SPDX-License-Identifier: Apache-2.0
"""Sums in each warp by shuffles, then in the first warp alone."""

from tirxcc.script import tirx as T


@T.function
def warp_part(A: T.Tensor((256,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((8,), T.float32)
    v: T.float32 = A[t]
    m: T.int32 = 16
    while m > 0:
        v += T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, m, 32)
        m = m // 2
    if t % 32 == 0:
        S[t // 32] = v
    T.cuda.cta_sync()
    if t < 32:
        r: T.float32 = 0.0
        if t < 8:
            r = S[t]
        for j in range(3):
            r += T.cuda.__shfl_down_sync(0xFFFFFFFF, r, 4 >> j, 32)
        if t == 0:
            B[0] = r
