# SPDX-License-Identifier: Apache-2.0
"""Infinities, NaN and the limits of types."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def special_values(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 3), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.float32("inf") if A[i] > 0.0 else T.float32("-inf")
        O[i, 1] = T.float32("nan") if A[i] > 0.0 else T.max_value("float32")
        O[i, 2] = T.infinity("float32") if A[i] < 0.0 else T.min_value("float32")
