# SPDX-License-Identifier: Apache-2.0
"""More threads than elements and no guard: a note, where that is certain."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def rounded_up(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i] = A[i] + 1.0


@T.function
def one_axis_of_two(B: T.Tensor((n, m), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(m, 16), T.ceildiv(n, 16)), block=(16, 16))
    )
    column = T.cuda.block_idx("x") * T.cuda.block_dim("x") + T.cuda.thread_idx("x")
    row = T.cuda.block_idx("y") * 16 + T.cuda.thread_idx("y")
    if column < m:
        B[row, column] = 0.0
    for k in range(4):
        B[row, 0] += 1.0


@T.function
def fixed_size(A: T.Tensor((1000,), T.float32), B: T.Tensor((1000,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=4, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if A[i] > 0.0:
        B[i] = A[i]


@T.function
def one_too_far(A: T.Tensor((128,), T.float32), B: T.Tensor((128,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
    t = T.cuda.thread_idx("x")
    B[t] = A[t + 1] - A[t]


# What follows is right, or not certainly wrong: nothing is said.
@T.function
def guarded(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    value = A[i] if i < n else 0.0
    if i < n:
        B[i] = value


@T.function
def leaves_early(B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    B[i] = 1.0


@T.function
def short_circuit(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n and A[i] > 0.0:
        B[i] = A[i]


@T.function
def exact(A: T.Tensor((n,), T.float32), B: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = B[T.cuda.thread_idx("x")]


@T.function
def promised(B: T.Tensor((n,), T.float32)):
    assert n % 256 == 0, "n must be a multiple of 256"
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i] = 1.0
