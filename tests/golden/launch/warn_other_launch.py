# SPDX-License-Identifier: Apache-2.0
"""A kernel that is written for another launch than it has: a note."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def no_second_dimension(A: T.Tensor((n, m), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(m, 32), block=(32, 8)))
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    z = T.cuda.thread_idx("z")
    if x < m and y < n:
        A[y, x] = T.float32(z)


@T.function
def smaller_blocks(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i]


@T.function
def larger_blocks(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    block = T.cuda.block_idx("x")
    thread = T.cuda.thread_idx("x")
    i = thread + block * 128
    if 0 < i < n - 1:
        B[i] = A[i - 1] + A[i + 1]


# These are right, or can be meant: nothing is said.
@T.function
def two_elements(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=128))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i]
    if i + 128 < n:
        B[i + 128] = A[i + 128]


@T.function
def tile_with_edge(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 14), block=16))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 14 + t
    s = T.alloc_shared((16,), "float32")
    if i < n:
        s[t] = A[i]
    T.cuda.cta_sync()
    if t < 14 and i + 2 < n:
        B[i] = s[t] + s[t + 1] + s[t + 2]


@T.function
def in_a_loop(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(T.ceildiv(n, 512), 1), block=128))
    i = T.cuda.block_idx("x") * 512 + T.cuda.thread_idx("x") + T.cuda.block_idx("y")
    for k in range(4):
        if i + k * 128 < n:
            B[i + k * 128] = A[i + k * 128]
