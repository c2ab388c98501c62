# SPDX-License-Identifier: Apache-2.0
"""Kernels that tests/export links into C and C++ programs."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
        else:
            B[i] = 0.0


@T.function
def turned(A: T.Tensor((n, m), T.int32), B: T.Tensor((m, n), T.int32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(m, 16), T.ceildiv(n, 16)), block=(16, 16))
    )
    x = T.cuda.block_idx("x") * 16 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 16 + T.cuda.thread_idx("y")
    if x < m and y < n:
        B[x, y] = A[y, x]


@T.function
def block_sums(A: T.Tensor((n * 128,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=128))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((128,), "float32")
    S[t] = A[T.cuda.block_idx("x") * 128 + t]
    T.cuda.cta_sync()
    s: T.int32 = 64
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s >> 1
    if t == 0:
        B[T.cuda.block_idx("x")] = S[0]


@T.function
def large_blocks(A: T.Tensor((n * 256,), T.int32)):
    # More shared memory than goes onto the stack.
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((56, 1024), "int32")
    for k in range(56):
        S[k, t * 4] = A[T.cuda.block_idx("x") * 256 + t] + k
    T.cuda.cta_sync()
    A[T.cuda.block_idx("x") * 256 + t] = S[55, (255 - t) * 4]


@T.function
def halves(
    A: T.Tensor((n,), T.float16), B: T.Tensor((n,), T.float16), C: T.Tensor((n,), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        C[i] = T.float32(A[i])
        B[i] = T.float16(C[i] * 1.0009765625)


@T.function
def curves(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = T.sin(T.float64(A[i])) + T.float64(T.exp(A[i])) + T.float64(T.floor(A[i]))


@T.function
def kinds(
    mask: T.Tensor((n,), T.bool), out: T.Tensor((n,), T.int64), int: T.int8, k: T.uint16, on: T.bool
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 32), block=32))
    i = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    if i < n:
        out[i] = T.int64(int) * 1000000 + T.int64(k)
        if mask[i] and on:
            out[i] = -1


@T.function
def positive(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 32), block=32))
    i = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    if i < n:
        assert A[i] != 7, "seven is not allowed"
        assert A[i] >= 0, "negative"
        A[i] += 1


@T.function
def counts(A: T.Tensor((n,), T.int32), H: T.Tensor((8,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        T.cuda.atomic_add(T.address_of(H[A[i] & 7]), 1)


@T.function
def mean(A: T.Tensor((n,), T.float32)) -> T.float32:
    total: T.float32 = 0.0
    for i in range(n):
        total += A[i]
    return total / T.float32(n)


@T.function
def tripled(A: T.Tensor((n,), T.float32)):
    for i in T.parallel(n):
        A[i] = A[i] * 3.0


@T.function
def two_steps(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    for k in range(2):
        with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64)):
            i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
            if i < n:
                B[i] = A[i] + T.float32(k)
        with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 32), block=32)):
            j = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
            if j < n:
                A[j] = B[j] * 2.0


@T.function
def wrapped(A: T.Tensor((1,), T.int32), blocks: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=blocks, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < 0:
        A[0] = 1


@T.function
def greet(k: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=k, block=1))
    T.cuda.printf("block %d of %d\n", T.cuda.block_idx("x"), k)
