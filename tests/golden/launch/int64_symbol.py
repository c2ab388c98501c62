# SPDX-License-Identifier: Apache-2.0
"""A symbol of int64 is passed and compared in 64 bits."""

from tirxcc.script import tirx as T

n = T.dynamic("n", "int64")


@T.function
def int64_symbol(A: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        A[i, 3] = A[i, 0] + A[i, 1]
