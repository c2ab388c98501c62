# SPDX-License-Identifier: Apache-2.0
"""All threads store to one element, each its own value: a warning where that is certain."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def last_wins(A: T.Tensor((n,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = A[i]
    B[0] = T.sqrt(x) + 1.0


@T.function
def counts(B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    for k in range(n):
        B[k] += 1


@T.function
def sum_of_rows(A: T.Tensor((n, 64), T.float32), total: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 128, block=128))
    row = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    mine = 0.0
    for k in range(64):
        mine += A[row, k]
    total[0] = mine


@T.function
def one_of_a_block(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    s = T.alloc_shared((1,), "float32")
    s[0] = A[T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")]
    T.cuda.cta_sync()
    B[T.cuda.block_idx("x")] = s[0]


@T.function
def sum_under_guard(A: T.Tensor((n,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[0] = B[0] + A[i]


@T.function
def last_behind_return(A: T.Tensor((n,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    B[0] = A[i]


@T.function
def leaders(A: T.Tensor((n,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    if T.cuda.thread_idx("x") == 0:
        B[0] += A[T.cuda.block_idx("x")]


# What follows is right, or not certainly wrong: nothing is said.
@T.function
def one_under_guard(A: T.Tensor((n,), T.float32), B: T.Tensor((4,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 256 + t
    if i == 0:
        B[0] = B[0] + A[i]
    if i < 1:
        B[0] = A[t] + A[T.cuda.block_idx("x")]
    if t == 0 and T.cuda.block_idx("x") == 0:
        B[1] += A[i]
    if i < n and A[i] > 0.0:
        B[2] = A[i]
    if i < n:
        if A[i] > 0.0:
            B[2] = A[i]
        B[3] = A[0]
    if i != n - 1:
        T.gpu_thread_return()
    B[0] += A[i]


@T.function
def one_value(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), x: T.float32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 256 + t
    B[0] = x
    B[1] = A[0] + A[n - 1]
    if t == 0:
        B[T.cuda.block_idx("x")] = A[i]
    if A[i] > 0.0:
        B[2] = A[i]
    if T.cuda.block_idx("x") > 0:
        T.gpu_thread_return()
    if i > 0:
        T.gpu_thread_return()
    B[3] = A[i]
    B[4] += 1.0


@T.function
def of_the_block(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 32, block=32))
    total = A[T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")]
    total = total + T.cuda.__shfl_xor_sync(0xFFFFFFFF, total, 16, 32)
    total = T.cuda.__shfl_sync(0xFFFFFFFF, total, 0, 32)
    B[T.cuda.block_idx("x")] = total
    s = T.alloc_shared((32,), "float32")
    s[T.cuda.thread_idx("x")] = total
    T.cuda.cta_sync()
    B[T.cuda.block_idx("x")] = s[0]
    x = T.alloc_local((1,), "float32")
    x[0] = A[T.cuda.thread_idx("x")]
    T.cuda.atomic_add(B.ptr_to([0]), x[0])


@T.function
def one_thread(A: T.Tensor((n,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=1))
    for k in range(n):
        B[0] += A[k + T.cuda.thread_idx("x")]


@T.function
def blocks_of_one(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=1))
    B[T.cuda.block_idx("x")] += A[T.cuda.block_idx("x")]
