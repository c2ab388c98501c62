# SPDX-License-Identifier: Apache-2.0
# pass: simplify
# target: cuda
"""Arithmetic of constants is done, a value that nothing uses is dropped."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def simplify_folds(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 128, block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    unused = A[i] + 1
    width = T.int32(4) * 8
    if i < n:
        B[i] = A[i] * 1 + (width - 32) + (i - i)
