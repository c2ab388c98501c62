# SPDX-License-Identifier: Apache-2.0
"""A comparison that the type decides."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def constant_comparison(A: T.Tensor((n,), T.uint32), B: T.Tensor((n,), T.bool)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i] = A[i] > -1
