# SPDX-License-Identifier: Apache-2.0
"""An index of 32 bits beside a size of 64: it wraps before it gets there."""

from tirxcc.script import tirx as T

n = T.dynamic("n", "int64")


@T.function
def wraps(A: T.Tensor((n,), T.int8)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = 1


@T.function
def wraps_before_the_cast(A: T.Tensor((n,), T.int8)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.int64(T.cuda.block_idx("x") * T.cuda.block_dim("x") + T.cuda.thread_idx("x"))
    if i < n:
        A[i] = 1


@T.function
def good(A: T.Tensor((n,), T.int8)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.int64(T.cuda.block_idx("x")) * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = 1
    if T.cuda.block_idx("x") < n:
        A[0] = 2
