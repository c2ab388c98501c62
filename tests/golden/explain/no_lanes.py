# SPDX-License-Identifier: Apache-2.0
"""Why threads do not run in lanes is told with its place; a loop that strides through the grid is
one loop and yet not streamed."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def strided(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=128, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in range(i, n, 128 * 256):
        B[k] = A[k] * 2.0


@T.function
def order_of_sums(A: T.Tensor((n,), T.float32), B: T.Tensor((1,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        T.cuda.atomic_add(B.ptr_to([0]), A[i])


@T.function
def few_threads(A: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=4))
    A[T.cuda.block_idx("x"), T.cuda.thread_idx("x")] = 1.0


@T.function
def far_apart(A: T.Tensor((n, 3), T.float32), B: T.Tensor((n, 3), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i, 2] = A[i, 1]


@T.function
def printed(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    if A[t] < 0.0:
        T.cuda.printf("%d\n", t)
