# SPDX-License-Identifier: Apache-2.0
"""Rounding to whole numbers; round and nearbyint both round half to even."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def rounding(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 5), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.floor(A[i])
        O[i, 1] = T.ceil(A[i])
        O[i, 2] = T.trunc(A[i])
        O[i, 3] = T.round(A[i])
        O[i, 4] = T.nearbyint(A[i])
