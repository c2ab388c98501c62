# SPDX-License-Identifier: Apache-2.0
"""A slip in the name of a sum."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def sum_misspelt(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    total = 0.0
    for k in range(4):
        totl += A[i]
    A[i] = total
