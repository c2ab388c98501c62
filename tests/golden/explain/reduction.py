# SPDX-License-Identifier: Apache-2.0
"""A loop whose scalar all threads change alike is the block's; what one region leaves is kept."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def reduction(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 256 + t
    S = T.alloc_shared((256,), "float32")
    mine = A[i]
    S[t] = mine
    T.cuda.cta_sync()
    s: T.int32 = 128
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s >> 1
    B[i] = S[0] + mine
