# SPDX-License-Identifier: Apache-2.0
"""Two floats are a float2."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def vectorized_two(A: T.Tensor((n, 2), T.float32), O: T.Tensor((n, 2), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(2):
            O[i, k] = A[i, k] + 1.0
