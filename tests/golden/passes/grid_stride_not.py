# SPDX-License-Identifier: Apache-2.0
# pass: grid_stride_loops
# target: cpu
"""Loops that stay: threads leave this one at different places, in that one the order of the sums
would show, the third goes by single steps."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_stride_not(A: T.Tensor((n,), T.float32), B: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((1,), "float32")
    if t == 0:
        S[0] = 0.0
    T.cuda.cta_sync()
    i: T.int32 = t
    while i < n:
        if A[i] < 0.0:
            break
        i += 64
    T.cuda.cta_sync()
    for k in range(t, n, 64):
        T.cuda.atomic_add(S.ptr_to([0]), A[k])
    T.cuda.cta_sync()
    total: T.float32 = S[0]
    for k in range(t, t + 5):
        total += A[k % n]
    B[t] = total + T.float32(i)
