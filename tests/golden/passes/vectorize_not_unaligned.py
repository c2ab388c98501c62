# SPDX-License-Identifier: Apache-2.0
# pass: vectorize
# target: cuda
"""Rows of five are not aligned: a loop."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def vectorize_not_unaligned(C: T.Tensor((n, 5), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            C[i, k] = C[i, k] * 2.0
