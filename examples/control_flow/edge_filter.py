# SPDX-License-Identifier: Apache-2.0
"""The 3 x 3 Sobel filter over a grey picture of 0 to 255; beyond the border its pixels repeat."""

from tirxcc.script import tirx as T

h = T.dynamic("h")
w = T.dynamic("w")


@T.function
def edge_filter(A: T.Tensor((h, w), T.float32), B: T.Tensor((h, w), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(w, 32), T.ceildiv(h, 8)), block=(32, 8))
    )
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    if x >= w or y >= h:
        T.gpu_thread_return()
    across: T.float32 = 0.0
    down: T.float32 = 0.0
    for r in T.unroll(-1, 2):
        row = T.min(T.max(y + r, 0), h - 1)
        for c in T.unroll(-1, 2):
            col = T.min(T.max(x + c, 0), w - 1)
            # 1 2 1 along the edge, -1 0 1 across it; terms of weight 0 are not there at all.
            if c != 0:
                across += A[row, col] * (c * (2 - r * r))
            if r != 0:
                down += A[row, col] * (r * (2 - c * c))
    B[y, x] = T.min(T.sqrt(across * across + down * down), 255.0)
