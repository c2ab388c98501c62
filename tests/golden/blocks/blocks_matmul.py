# SPDX-License-Identifier: Apache-2.0
"""Tiles in shared memory; each thread keeps its sum from tile to tile."""

from tirxcc.script import tirx as T


@T.function
def blocks_matmul(
    A: T.Tensor((128, 96), T.float32),
    B: T.Tensor((96, 64), T.float32),
    C: T.Tensor((128, 64), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(4, 8), block=(16, 16)))
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    row = T.cuda.block_idx("y") * 16 + ty
    col = T.cuda.block_idx("x") * 16 + tx
    SA = T.alloc_shared((16, 16), T.float32)
    SB = T.alloc_shared((16, 16), T.float32)
    acc: T.float32 = 0.0
    for k in range(6):
        SA[ty, tx] = A[row, k * 16 + tx]
        SB[ty, tx] = B[k * 16 + ty, col]
        T.cuda.cta_sync()
        for j in range(16):
            acc += SA[ty, j] * SB[j, tx]
        T.cuda.cta_sync()
    C[row, col] = acc
