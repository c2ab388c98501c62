# SPDX-License-Identifier: Apache-2.0
"""A sum needs a first value."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def sum_without_start(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in range(4):
        total += A[i]
    A[i] = total
