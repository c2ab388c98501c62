# SPDX-License-Identifier: Apache-2.0
"""Four ways to say the same cast."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def spellings(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.int32(A[i])
        O[i, 1] = T.cast(A[i], "int32")
        O[i, 2] = T.Cast("int32", A[i])
        O[i, 3] = A[i].astype("int32")
