# SPDX-License-Identifier: Apache-2.0
# pass: thread_loops
# target: cpu
"""Regions with no barrier of the block between them run warp by warp; what lanes keep and exchange
there has 32 elements, what lives on behind the barrier one for each thread."""

from tirxcc.script import tirx as T


@T.function
def warp_by_warp(A: T.Tensor((64, 2), T.float32), B: T.Tensor((64, 2), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(64, 2)))
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    S = T.alloc_shared((4,), "float32")
    v: T.float32 = A[tx, ty]
    last: T.float32 = v
    v += T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 4, 32)
    v += T.cuda.__shfl_down_sync(0xFFFFFFFF, v, 3, 16)
    if (ty * 64 + tx) % 32 == 0:
        S[(ty * 64 + tx) // 32] = v
    T.cuda.cta_sync()
    B[tx, ty] = S[ty] + last
