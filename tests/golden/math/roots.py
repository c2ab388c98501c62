# SPDX-License-Identifier: Apache-2.0
"""Square roots and their reciprocals."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def roots(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 2), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.sqrt(A[i])
        O[i, 1] = T.rsqrt(A[i])
