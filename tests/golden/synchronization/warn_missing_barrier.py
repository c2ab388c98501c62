# SPDX-License-Identifier: Apache-2.0
"""Threads that read what another one writes, with no barrier between: a warning that names two of
them. The twins at the end are right, and nothing is said of them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def in_place(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i > 0 and i < n:
        A[i] = A[i - 1]


@T.function
def read_first(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    left = A[t - 1] if t > 0 else T.float32(0)
    A[t] = left


@T.function
def turned_round(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 256 + t
    S = T.alloc_shared((256,), "float32")
    if i < n:
        S[t] = A[i]
        B[i] = S[255 - t]


@T.function
def tree(A: T.Tensor((256,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    S[t] = A[t]
    T.cuda.cta_sync()
    s = 128
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        s = s // 2
    if t == 0:
        B[0] = S[0]


@T.function
def tile(A: T.Tensor((n, 16), T.float32), B: T.Tensor((16, 16), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(16, 16)))
    x = T.cuda.thread_idx("x")
    y = T.cuda.thread_idx("y")
    S = T.alloc_shared((16, 16), "float32")
    total = T.float32(0)
    for k in range(n // 16):
        S[y, x] = A[k * 16 + y, x]
        T.cuda.cta_sync()
        for j in range(16):
            total += S[j, x]
    B[y, x] = total


@T.function
def zeroed_by_one(A: T.Tensor((256,), T.int32), B: T.Tensor((1,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    total = T.alloc_shared((1,), "int32")
    if t == 0:
        total[0] = 0
    T.cuda.atomic_add(total.ptr_to([0]), A[t])
    T.cuda.cta_sync()
    if t == 0:
        B[0] = total[0]


@T.function
def histogram(A: T.Tensor((256,), T.int32), B: T.Tensor((16,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    bins = T.alloc_shared((16,), "int32")
    if t < 16:
        bins[t] = 0
    T.cuda.cta_sync()
    T.cuda.atomic_add(bins.ptr_to([A[t] & 15]), 1)
    if t < 16:
        B[t] = bins[t]


@T.function
def across_blocks(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] += 1.0
    T.cuda.cta_sync()
    if i < n - 1:
        B[i] = A[i + 1]


@T.function
def far_blocks(A: T.Tensor((128,), T.int32), W: T.Tensor((128,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=4, block=32))
    i = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    W[i] = A[i] + 1
    T.cuda.cta_sync()
    A[i] = W[127 - i]


# Right:


@T.function
def pairs_alone(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n - 1:
        if i % 2 == 0:
            A[i] = A[i + 1]


@T.function
def swapped_ends(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n // 2:
        left = A[i]
        A[i] = A[n - 1 - i]
        A[n - 1 - i] = left


@T.function
def whole_tree(A: T.Tensor((256,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    S[t] = A[t]
    T.cuda.cta_sync()
    s = 128
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s // 2
    if t == 0:
        B[0] = S[0]


@T.function
def own_rows(A: T.Tensor((n, 16), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    row = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if row < n:
        for k in range(1, 16):
            A[row, k] += A[row, k - 1]


@T.function
def last_values(A: T.Tensor((256,), T.float32), B: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    if A[t] > 0.0:
        S[t] = A[t]
    else:
        S[t] = 0.0
    T.cuda.cta_sync()
    if t > 0:
        B[t] = S[t - 1]
