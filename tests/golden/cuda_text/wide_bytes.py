# SPDX-License-Identifier: Apache-2.0
"""Four bytes are a uchar4, sixteen a uint4."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def wide_bytes(
    A: T.Tensor((n, 16), T.uint8),
    O: T.Tensor((n, 16), T.uint8),
    P: T.Tensor((n, 4), T.uint8),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(16):
            O[i, k] = A[i, k] ^ 255
        for k in T.vectorized(4):
            P[i, k] = A[i, k + 4] + 1
