# SPDX-License-Identifier: Apache-2.0
"""Statements cannot stand in what the kernel may not evaluate."""

from tirxcc.script import tirx as T


@T.inline
def largest(X):
    best: T.float32 = X[0]
    for k in range(1, 32):
        best = T.max(best, X[k])
    return best


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    if t > 3 and largest(A) > 0.0:
        A[t] = 1.0
    while largest(A) > 0.0:
        A[t] = A[t] - 1.0
