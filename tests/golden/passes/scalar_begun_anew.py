# SPDX-License-Identifier: Apache-2.0
# pass: split_locals
# target: cpu
"""A value that is not made of the old one begins another scalar: at the kernel's level, in the last
branch to use it, not in a loop, and not where the old one is asked for later."""

from tirxcc.script import tirx as T


@T.function
def scalar_begun_anew(A: T.Tensor((64,), T.int32), B: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((64,), "int32")
    v: T.int32 = A[t]
    w: T.int32 = v
    v += 1
    if t > 3:
        w = v
    S[t] = v + w
    T.cuda.cta_sync()
    v = S[63 - t]
    T.cuda.cta_sync()
    for k in range(3):
        w = v * k
        S[t] += w
    if t > 5:
        B[t] = v
    else:
        v = S[t] * 2
        B[t] = v + w
