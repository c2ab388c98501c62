# SPDX-License-Identifier: Apache-2.0
# pass: unroll_block_loops
# target: cpu
"""A loop around a barrier whose three turns are known; the other, with a turn of its own, stays."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_loop_written_out(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=8))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((8,), "float32")
    S[t] = A[t]
    T.cuda.cta_sync()
    s: T.int32 = 4
    while s > 0:
        if t < s:
            other = t + s
            S[t] += S[other]
        T.cuda.cta_sync()
        s = s >> 1
    k: T.int32 = n
    while k > 0:
        S[t] += T.float32(s)
        T.cuda.cta_sync()
        k = k >> 1
    B[t] = S[0]
