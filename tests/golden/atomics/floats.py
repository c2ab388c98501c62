# SPDX-License-Identifier: Apache-2.0
"""Atomics of floats: what CUDA has no function for is done on the bits."""

from tirxcc.script import tirx as T


@T.function
def atomics(
    A: T.Tensor((256,), T.float32),
    F: T.Tensor((6,), T.float32),
    D: T.Tensor((6,), T.float64),
    H: T.Tensor((2,), T.float16),
    B: T.Tensor((2,), T.bfloat16),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    T.cuda.atomic_add(F.ptr_to([0]), A[t])
    T.cuda.atomic_sub(F.ptr_to([1]), A[t])
    T.cuda.atomic_min(F.ptr_to([2]), A[t])
    T.cuda.atomic_max(F.ptr_to([3]), A[t])
    T.cuda.atomic_exch(F.ptr_to([4]), A[t])
    T.cuda.atomic_cas(F.ptr_to([5]), 0, A[t])
    T.cuda.atomic_add(D.ptr_to([0]), A[t])
    T.cuda.atomic_sub(D.ptr_to([1]), 1)
    T.cuda.atomic_min(D.ptr_to([2]), A[t])
    T.cuda.atomic_max(D.ptr_to([3]), A[t])
    T.cuda.atomic_exch(D.ptr_to([4]), A[t])
    T.cuda.atomic_cas(D.ptr_to([5]), 0.0, A[t])
    T.cuda.atomic_add(H.ptr_to([0]), A[t])
    T.cuda.atomic_sub(H.ptr_to([1]), A[t])
    T.cuda.atomic_add(B.ptr_to([0]), 0.5)
    T.cuda.atomic_sub(B.ptr_to([1]), A[t])
