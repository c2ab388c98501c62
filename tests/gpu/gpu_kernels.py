# SPDX-License-Identifier: Apache-2.0
"""Kernels of the tests on a GPU."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


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
def add_one(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] + 1.0


@T.function
def wide_add_one(A: T.Tensor((n, 4), T.float32), B: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            B[i, k] = A[i, k] + 1.0


@T.function
def two_regions(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256)):
        i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
        if i < n:
            B[i] = A[i] + 1.0
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128)):
        k = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
        if k < n:
            A[k] = B[k] * 2.0


@T.function
def clustered(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, cluster=4))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def cooperative(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, cooperative=True))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def serialized(A: T.Tensor((1024,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=8, block=128, programmatic_stream_serialization=True, priority=-1
        )
    )
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def much_shared(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, dynamic_smem_bytes=150_000))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def too_much_shared(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128, dynamic_smem_bytes=300_000))
    A[T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")] += 1.0


@T.function
def far_outside(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x") + 1_000_000_000] = 1.0
