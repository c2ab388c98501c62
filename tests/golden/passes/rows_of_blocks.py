# SPDX-License-Identifier: Apache-2.0
# pass: guards_to_bounds
# target: cpu
"""Along x the kernel asks only for its place in the grid: the blocks of a row are one loop."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def rows_of_blocks(A: T.Tensor((n, m), T.float32), B: T.Tensor((n, m), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(T.ceildiv(m, 32), T.ceildiv(n, 8)), block=(32, 8)))
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    if y < n and 0 < x and x < m:
        B[y, x] = A[y, x] - A[y, x - 1]
