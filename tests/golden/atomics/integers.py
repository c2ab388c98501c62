# SPDX-License-Identifier: Apache-2.0
"""Atomics of integers are CUDA's own functions; signed 64-bit ones go by the unsigned ones."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def atomics(
    A: T.Tensor((n,), T.int32),
    I: T.Tensor((9,), T.int32),
    U: T.Tensor((9,), T.uint32),
    L: T.Tensor((9,), T.int64),
    V: T.Tensor((9,), T.uint64),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        T.cuda.atomic_add(I.ptr_to([0]), A[i])
        T.cuda.atomic_sub(I.ptr_to([1]), A[i])
        T.cuda.atomic_min(I.ptr_to([2]), A[i])
        T.cuda.atomic_max(I.ptr_to([3]), A[i])
        T.cuda.atomic_and(I.ptr_to([4]), A[i])
        T.cuda.atomic_or(I.ptr_to([5]), A[i])
        T.cuda.atomic_xor(I.ptr_to([6]), A[i])
        T.cuda.atomic_exch(I.ptr_to([7]), A[i])
        T.cuda.atomic_cas(I.ptr_to([8]), 0, A[i])
        u = T.uint32(A[i])
        T.cuda.atomic_add(T.address_of(U[0]), u)
        T.cuda.atomic_sub(U.ptr_to([1]), u)
        T.cuda.atomic_min(U.ptr_to([2]), u)
        T.cuda.atomic_max(U.ptr_to([3]), u)
        T.cuda.atomic_and(U.ptr_to([4]), u)
        T.cuda.atomic_or(U.ptr_to([5]), u)
        T.cuda.atomic_xor(U.ptr_to([6]), u)
        T.cuda.atomic_exch(U.ptr_to([7]), u)
        T.cuda.atomic_cas(U.ptr_to([8]), 0, u)
        l = T.int64(A[i])
        T.cuda.atomic_add(L.ptr_to([0]), l)
        T.cuda.atomic_sub(L.ptr_to([1]), l)
        T.cuda.atomic_min(L.ptr_to([2]), l)
        T.cuda.atomic_max(L.ptr_to([3]), l)
        T.cuda.atomic_and(L.ptr_to([4]), l)
        T.cuda.atomic_or(L.ptr_to([5]), l)
        T.cuda.atomic_xor(L.ptr_to([6]), l)
        T.cuda.atomic_exch(L.ptr_to([7]), l)
        T.cuda.atomic_cas(L.ptr_to([8]), 0, l)
        v = T.uint64(u)
        T.cuda.atomic_add(V.ptr_to([0]), v)
        T.cuda.atomic_sub(V.ptr_to([1]), v)
        T.cuda.atomic_min(V.ptr_to([2]), v)
        T.cuda.atomic_max(V.ptr_to([3]), v)
        T.cuda.atomic_and(V.ptr_to([4]), v)
        T.cuda.atomic_or(V.ptr_to([5]), v)
        T.cuda.atomic_xor(V.ptr_to([6]), v)
        T.cuda.atomic_exch(V.ptr_to([7]), v)
        T.cuda.atomic_cas(V.ptr_to([8]), 0, v)
