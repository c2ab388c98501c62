# SPDX-License-Identifier: Apache-2.0
"""Neighbours that the guard does not cover: a warning where some thread certainly goes outside."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def both_sides(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i - 1] + A[i + 1]


@T.function
def through_a_name(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * T.cuda.block_dim("x") + T.cuda.thread_idx("x")
    j = i + 1
    if i >= n:
        T.gpu_thread_return()
    B[i] = A[j]


@T.function
def one_side_guarded(A: T.Tensor((n, m), T.float32), B: T.Tensor((n, m), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(m, 16), T.ceildiv(n, 16)), block=(16, 16))
    )
    x = T.cuda.block_idx("x") * 16 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 16 + T.cuda.thread_idx("y")
    if 0 < x < m and 0 < y < n - 1:
        B[y, x] = A[y - 1, x] + A[y + 1, x] + A[y, x - 1] + A[y, x + 1]


@T.function
def window(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total = 0.0
        for k in range(-2, 3):
            total += A[i + k]
        B[i] = total


@T.function
def reversed_order(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[n - i]


@T.function
def last_branch(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if i == 0:
            B[i] = A[i]
        else:
            B[i] = A[i - 2] if i > 0 else 0.0


@T.function
def local_array(B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = T.alloc_local((8,), "float32")
    for k in range(8):
        x[k] = 1.0
    for k in range(8):
        x[k] = x[k + 1]
    if i < n:
        B[i] = x[0]


@T.function
def behind_the_end(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[n - 1 - i] = A[n]


# What follows is right, or not certainly wrong: nothing is said.
@T.function
def inside(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i > 0 and i < n - 1:
        B[i] = A[i - 1] + A[i + 1]
    if 1 <= i < n - 1:
        B[i] = A[i - 1] + A[i + 1]
    if i == 0 or i >= n - 1:
        T.gpu_thread_return()
    B[i] = A[i - 1] + A[i + 1]


@T.function
def edges_apart(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        left = A[i - 1] if i > 0 else 0.0
        right = T.if_then_else(i + 1 < n, A[i + 1], 0.0)
        nearest = A[T.max(i - 1, 0)] + A[T.min(i + 1, n - 1)] + A[(i + 1) % n]
        if i == 0:
            B[i] = left + right
        elif i == n - 1:
            B[i] = nearest
        else:
            B[i] = A[i - 1] + A[i + 1]
        if i != 0 and A[i - 1] > 0.0:
            B[i] += 1.0


@T.function
def padded(A: T.Tensor((n + 2,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] + A[i + 1] + A[i + 2] + A[n] + A[n + 1]


@T.function
def not_known(A: T.Tensor((n,), T.float32), B: T.Tensor((m,), T.float32), steps: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(m, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < m:
        B[i] = A[i + 1]
        if A[i] > 0.0:
            B[i] = B[i + 1]
        for k in range(steps):
            B[i] += A[i + k]
        for k in range(4):
            if k == 2:
                break
            B[i + k] = 0.0
    if T.cuda.thread_idx("x") > 0 and i < m:
        B[i] = B[i - 1]
    if T.uint32(i - 1) < T.uint32(m - 2):
        B[i] = B[i - 1] + B[i + 1]


@T.function
def few_threads(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(n - 2) // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i + 1] = A[i] + A[i + 2]


@T.function
def blocks_of_a_row(A: T.Tensor((n, m), T.float32), B: T.Tensor((n, m), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n - 1, block=64))
    row = T.cuda.block_idx("x")
    for k in range(m - 1):
        B[row, k] = A[row + 1, k + 1] + A[n - 1 - row, m - 1 - k]
