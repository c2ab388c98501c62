# SPDX-License-Identifier: Apache-2.0
"""Letters beyond ASCII are spelled out."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def letters(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        größe = A[i] + 1
        O[i] = größe * größe
