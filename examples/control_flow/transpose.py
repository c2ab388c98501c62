# SPDX-License-Identifier: Apache-2.0
"""A 64 x 64 transpose; each of 256 threads moves a 4 x 4 tile, row by row."""

from tirxcc.script import tirx as T


@T.function
def transpose(A: T.Tensor((64, 64), T.float32), B: T.Tensor((64, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    row = t // 16 * 4
    col = t % 16 * 4
    for r, c in T.grid(4, 4):
        B[col + c, row + r] = A[row + r, col + c]
