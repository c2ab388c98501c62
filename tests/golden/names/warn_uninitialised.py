# SPDX-License-Identifier: Apache-2.0
"""A declared scalar that is read before anything is assigned to it; where a path assigns it, not."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def kernel(A: T.Tensor((64, n), T.float32), B: T.Tensor((64,), T.float32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    total: T.float32
    for k in range(n):
        total += A[t, k]
    both: T.float32
    if t < m:
        both = 1.0
    else:
        both = 2.0
    last: T.float32
    for k in range(n):
        if k > 0:
            B[t] = last
        last = A[t, k]
    started: T.bool
    best: T.int32
    count: T.int32 = 0
    while count < m:
        if count > 0 and best > 3:
            break
        best = count
        count += 1
    each: T.int32
    for k in range(n):
        each += k
        each = 0
    if started:
        B[t] = total + both
