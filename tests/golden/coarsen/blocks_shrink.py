# SPDX-License-Identifier: Apache-2.0
# options: --coarsen 4
"""Two dimensions: the block has a quarter of the threads. A condition that holds in the last column
holds in those before it; one that is not so simple is asked of every lane."""

from tirxcc.script import tirx as T

h = T.dynamic("h")
w = T.dynamic("w")


@T.function
def brighten(A: T.Tensor((h, 1024), T.float32), B: T.Tensor((h, 1024), T.float32), w: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(8, T.ceildiv(h, 4)), block=(128, 4)))
    x = T.cuda.block_idx("x") * T.cuda.block_dim("x") + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 4 + T.cuda.thread_idx("y")
    if y < h and x < w:
        B[y, x] = A[y, x] + 1.0


@T.function
def odd_columns(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128))
    x = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if x % 2 == 1:
        A[x] = 0.0


@T.function
def diverging(A: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(8, 1), block=(128, 1)))
    x = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    steps = 0
    while A[x] > 1.0:
        if steps == 10:
            T.gpu_thread_return()
        A[x] = A[x] * 0.5
        steps = steps + 1
