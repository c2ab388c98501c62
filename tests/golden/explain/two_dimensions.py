# SPDX-License-Identifier: Apache-2.0
"""Grid and block of two dimensions: one guard bounds the inner loop, the other the outer."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def two_dimensions(A: T.Tensor((n, m), T.float32), B: T.Tensor((m, n), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(m, 32), T.ceildiv(n, 8)), block=(32, 8))
    )
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    if x < m and y < n and x != y:
        B[x, y] = A[y, x]
