# SPDX-License-Identifier: Apache-2.0
"""Threads that add to one element without an atomic function, where their numbers or data choose
it: a warning. Each has its own in the kernels at the end, and nothing is said of them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def by_number(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i // 4] += A[i]


@T.function
def by_data(A: T.Tensor((n,), T.int32), B: T.Tensor((4,), T.float32), W: T.Tensor((n,), "float32")):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[A[i] & 3] += W[i]


@T.function
def counted(A: T.Tensor((n,), T.int32), B: T.Tensor((m,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        value = A[i]
        B[value] += 1


# Right:


@T.function
def permuted(
    P: T.Tensor((n,), T.int32), A: T.Tensor((n,), T.float32), B: T.Tensor((n,), "float32")
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[P[i]] += A[i]


@T.function
def own_columns(A: T.Tensor((n,), T.int32), B: T.Tensor((4, n), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[A[i] & 3, i] += 1


@T.function
def one_thread_counts(A: T.Tensor((n,), T.int32), B: T.Tensor((4,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    if T.cuda.thread_idx("x") == 0:
        for k in range(n):
            B[A[k] & 3] += 1
