# SPDX-License-Identifier: Apache-2.0
"""A loop whose turns each thread counts for itself, with a warp operation inside."""

from tirxcc.script import tirx as T


@T.function
def per_thread_loop(A: T.Tensor((64,), T.int32), B: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    r: T.int32 = 0
    for k in range(A[t]):
        if k == 5:
            continue
        if k == 9:
            break
        r += T.int32(T.cuda.__activemask() & T.uint32(0xFF)) + k
    L = T.alloc_local((4,), "int32")
    for q in range(4):
        L[q] = r * q
    T.cuda.cta_sync()
    B[t] = L[3] + L[1] + T.cuda.syncthreads_or(A[t] > 14)
