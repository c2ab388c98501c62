# SPDX-License-Identifier: Apache-2.0
"""The cycle counter never runs backwards."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def clock(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        start = T.cuda.clock64()
        twice = A[i] * 2
        end = T.cuda.clock64()
        O[i] = twice if end >= start else -1
