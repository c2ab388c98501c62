# SPDX-License-Identifier: Apache-2.0
"""A local array is declared and indexed."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def local_array(A: T.Tensor((n, 4), T.int32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        kept: T.int32[4]
        for k in range(4):
            kept[k] = A[i, k]
        for k in range(4):
            O[i, k] = kept[3 - k]
