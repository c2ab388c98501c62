# SPDX-License-Identifier: Apache-2.0
"""A literal with a name folds in conditions and prints by name elsewhere."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def constant_by_name(A: T.Tensor((n, 4), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        width = 4
        total: T.int32 = 0
        if width == 4:
            for k in range(width):
                total += A[i, k]
        O[i] = total + width
