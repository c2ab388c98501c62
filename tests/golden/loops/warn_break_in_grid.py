# SPDX-License-Identifier: Apache-2.0
"""break leaves the innermost loop of T.grid, which may surprise."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def break_in_grid(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for r, c in T.grid(4, 4):
        if A[r] > 0.0:
            break
        A[i] = 1.0
