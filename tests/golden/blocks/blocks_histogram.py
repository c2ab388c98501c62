# SPDX-License-Identifier: Apache-2.0
"""Atomics on shared and global memory."""

from tirxcc.script import tirx as T


@T.function
def blocks_histogram(
    A: T.Tensor((1024,), T.int32),
    H: T.Tensor((16,), T.int32),
    F: T.Tensor((1,), T.float32),
    M: T.Tensor((2,), T.float64),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=4, block=256))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 256 + t
    S = T.alloc_shared((16,), T.int32)
    if t < 16:
        S[t] = 0
    T.cuda.cta_sync()
    T.cuda.atomic_add(S.ptr_to([A[i]]), 1)
    T.cuda.cta_sync()
    if t < 16:
        T.cuda.atomic_add(H.ptr_to([t]), S[t])
    T.cuda.atomic_add(F.ptr_to([0]), 1.0)
    T.cuda.atomic_max(M.ptr_to([0]), T.float64(A[i]))
    T.cuda.atomic_min(M.ptr_to([1]), T.float64(A[i]))
