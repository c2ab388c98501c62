# SPDX-License-Identifier: Apache-2.0
"""A keyword that T.grid does not have."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_keyword(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for a, b in T.grid(4, 4, step=2):
        A[i] = 1.0
