# SPDX-License-Identifier: Apache-2.0
"""A sum in shared memory, with a loop of the block around its barriers."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_sum(A: T.Tensor((n,), T.float32), B: T.Tensor((T.ceildiv(n, 256),), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    i = bx * 256 + t
    S = T.alloc_shared((256,), T.float32)
    if i < n:
        S[t] = A[i]
    else:
        S[t] = 0.0
    T.cuda.cta_sync()
    s: T.int32 = 128
    while s > 0:
        if t < s:
            S[t] = S[t] + S[t + s]
        T.cuda.cta_sync()
        s = s // 2
    if t == 0:
        B[bx] = S[0]
