# SPDX-License-Identifier: Apache-2.0
"""Eight halves are one access of 16 bytes."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def wide_halves(A: T.Tensor((n, 8), T.float16), O: T.Tensor((n, 8), T.float16)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(8):
            O[i, k] = A[i, k] * 2
