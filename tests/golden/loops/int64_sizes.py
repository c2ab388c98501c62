# SPDX-License-Identifier: Apache-2.0
"""Sizes of more than 2^31: the place in the grid and a loop over it are of 64 bits, and plain."""

from tirxcc.script import tirx as T

n = T.dynamic("n", "int64")


@T.function
def int64_sizes(A: T.Tensor((n,), T.uint8), B: T.Tensor((n,), T.uint8), C: T.Tensor((n,), T.uint8)):
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256)):
        i = T.int64(T.cuda.block_idx("x")) * 256 + T.cuda.thread_idx("x")
        if i < n:
            B[i] = A[i] + T.uint8(1)
    with T.device_entry(launch=T.cuda.LaunchConfig(grid=3, block=256)):
        first = T.int64(T.cuda.block_idx("x")) * 256 + T.cuda.thread_idx("x")
        for k in range(first, n, 3 * 256):
            C[k] = B[k] * T.uint8(3)
