# SPDX-License-Identifier: Apache-2.0
"""Threads that step through memory together, with what each keeps from turn to turn."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def strided_sums(A: T.Tensor((n,), T.float32), B: T.Tensor((3, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=3, block=64))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((64,), "float32")
    total: T.float32 = 0.0
    turns: T.int32 = 0
    i: T.int32 = T.cuda.block_idx("x") * 64 + t
    while i < n:
        if A[i] > 0.0:
            total += A[i]
        else:
            turns += 1
        i += 3 * 64
    S[t] = total
    T.cuda.cta_sync()
    B[T.cuda.block_idx("x"), t] = S[63 - t] + T.float32(turns)


@T.function
def strided_ranges(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=(32, 2)))
    tx = T.cuda.thread_idx("x")
    S = T.alloc_shared((2,), "int32")
    row = T.cuda.block_idx("x") * 2 + T.cuda.thread_idx("y")
    if tx == 0:
        S[T.cuda.thread_idx("y")] = row * 100
    T.cuda.cta_sync()
    for k in range(row * 32 + tx - 5, T.min(m, n), 128):
        if k >= 0:
            B[k] = A[k] * 2 + S[T.cuda.thread_idx("y")]


@T.function
def strided_counts(A: T.Tensor((n,), T.int32), H: T.Tensor((16,), T.int32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=96))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((16,), "int32")
    if t < 16:
        S[t] = 0
    T.cuda.cta_sync()
    i: T.int32 = T.cuda.block_idx("x") * 96 + t
    while m >= i:
        T.cuda.atomic_add(S.ptr_to([A[i] & 15]), i)
        i += T.cuda.grid_dim("x") * T.cuda.block_dim("x")
    T.cuda.cta_sync()
    if t < 16:
        T.cuda.atomic_add(H.ptr_to([t]), S[t])


@T.function
def strided_copy(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=4, block=32))
    i: T.int32 = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    while i < n:
        B[i] = A[i] + 1.0
        i += 128


@T.function
def strided_last(A: T.Tensor((n,), T.int32), B: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    i: T.int32 = t
    while i < n:
        if A[i] == 7:
            break
        i += 64
    B[t] = i
