# SPDX-License-Identifier: Apache-2.0
"""An early return leaves the function, not the kernel."""

from tirxcc.script import tirx as T


@T.inline
def magnitude(x):
    if x > 0.0:
        return x
    return -x


@T.inline
def first_above(X, row, limit):
    for c in range(8):
        if X[row, c] > limit:
            return c
    return -1


@T.inline
def store_if_positive(O, t, x):
    if x <= 0.0:
        return
    O[t] = x


@T.function
def kernel(A: T.Tensor((64, 8), T.float32), O: T.Tensor((64,), T.float32), P: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    O[t] = magnitude(A[t, 0]) + magnitude(A[t, 1])
    P[t] = first_above(A, t, 0.5)
    store_if_positive(O, t, A[t, 2])
