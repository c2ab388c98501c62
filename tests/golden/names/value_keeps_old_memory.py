# SPDX-License-Identifier: Apache-2.0
"""A value is what was read, also after the memory has changed."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def value_keeps_old_memory(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x = A[i]
        A[i] = 5.0
        O[i] = x
