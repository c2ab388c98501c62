# SPDX-License-Identifier: Apache-2.0
# pass: thread_loops
# target: cpu
"""What only some warps run, because of their place in the block, needs no notes about where the
others are: the regions of one warp, of a few lanes of it, of warps with gaps between them."""

from tirxcc.script import tirx as T


@T.function
def final_warp(A: T.Tensor((256,), T.float32), B: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    S[t] = A[t]
    T.cuda.cta_sync()
    if t < 32:
        v: T.float32 = S[t]
        v += T.cuda.__shfl_down_sync(0xFFFFFFFF, v, 16, 32)
        if t < 8:
            v += T.cuda.__shfl_xor_sync(0xFF, v, 4, 8)
        S[t] = v
    elif t // 32 % 2 == 1:
        S[t] = T.cuda.__shfl_sync(0xFFFFFFFF, S[t], 3, 32)
    T.cuda.cta_sync()
    B[t] = S[t]
