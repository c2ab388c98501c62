# SPDX-License-Identifier: Apache-2.0
"""A grid and a block of two dimensions, the sizes from the arguments."""

from tirxcc.script import tirx as T

h = T.dynamic("h")
w = T.dynamic("w")


@T.function
def two_dimensions(A: T.Tensor((h, w), T.int32), O: T.Tensor((w, h), T.int32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(w, 16), T.ceildiv(h, 4)), block=(16, 4))
    )
    x = T.cuda.block_idx("x") * 16 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 4 + T.cuda.thread_idx("y")
    if x < w and y < h:
        O[x, y] = A[y, x] * 2
