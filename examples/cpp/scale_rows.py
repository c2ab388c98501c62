# SPDX-License-Identifier: Apache-2.0
"""Multiplies each row of a matrix by a number of its own and all of it by one more."""

from tirxcc.script import tirx as T

rows = T.dynamic("rows")
columns = T.dynamic("columns")


@T.function
def scale_rows(
    A: T.Tensor((rows, columns), T.float32),
    weights: T.Tensor((rows,), T.float32),
    factor: T.float32,
    B: T.Tensor((rows, columns), T.float32),
):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=(T.ceildiv(columns, 32), T.ceildiv(rows, 8)), block=(32, 8))
    )
    column = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    row = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    if row < rows and column < columns:
        B[row, column] = A[row, column] * weights[row] * factor
