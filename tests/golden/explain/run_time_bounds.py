# SPDX-License-Identifier: Apache-2.0
"""Loops around barriers whose bounds are parameters, with a step: the block counts for all."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def tile_sums(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), m: T.int32, s: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 16), block=16))
    tile = T.alloc_shared((16,), "float32")
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 16 + t
    total = 0.0
    for k in range(0, m, 16):
        tile[t] = A[k + t]
        T.cuda.cta_sync()
        for j in range(16):
            total += tile[j]
        T.cuda.cta_sync()
    for k in range(m, 0, -s):
        tile[t] = total
        T.cuda.cta_sync()
        total += tile[15 - t]
        T.cuda.cta_sync()
    if i < n:
        B[i] = total
