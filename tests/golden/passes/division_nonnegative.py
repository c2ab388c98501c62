# SPDX-License-Identifier: Apache-2.0
# pass: lower_division
# target: cuda
"""What cannot be negative divides as in C."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def division_nonnegative(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = i // 10 + i % 10
