# SPDX-License-Identifier: Apache-2.0
"""Division of a signed value by another constant needs the floor helper."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def divide_by_constant(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] // 7
        O[i, 1] = A[i] % 7
        O[i, 2] = A[i] // -7
        O[i, 3] = A[i] % -7
