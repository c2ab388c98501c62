# SPDX-License-Identifier: Apache-2.0
"""A wider value stored in a narrower element."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def narrowing(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = B[i] + 3
