# SPDX-License-Identifier: Apache-2.0
"""x = y = e evaluates e once."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def chained_assignment(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x = y = A[i] * 3
        O[i, 0] = x
        O[i, 1] = y + 1
