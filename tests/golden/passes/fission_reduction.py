# SPDX-License-Identifier: Apache-2.0
# pass: fission_at_barriers
# target: cpu
"""A loop whose scalar all threads change alike is the block's own; `i` is computed again."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def fission_reduction(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    i = bx * 256 + t
    S = T.alloc_shared((256,), "float32")
    S[t] = A[i]
    T.cuda.cta_sync()
    s: T.int32 = n
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s >> 1
    B[i] = S[0] + A[i]
