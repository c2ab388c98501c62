# SPDX-License-Identifier: Apache-2.0
"""Guards that let one element too many pass."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def closed(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i <= n:
        A[i] = 1.0


@T.function
def two_more(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n + 2:
        A[i] = 1.0
