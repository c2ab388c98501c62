# SPDX-License-Identifier: Apache-2.0
"""Recursion ends where a condition is known while compiling; several results; calls in loops."""

from tirxcc.script import tirx as T


@T.inline
def power(x, k):
    if k == 0:
        return 1.0
    return x * power(x, k - 1)


@T.inline
def ordered(a, b):
    return T.min(a, b), T.max(a, b)


@T.inline
def twice(f, x):
    return f(f(x))


@T.inline
def half(x):
    return x * 0.5


@T.function
def kernel(A: T.Tensor((64, 4), T.float32), O: T.Tensor((64, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    O[t, 0] = power(A[t, 0], 3)
    low, high = ordered(A[t, 1], A[t, 2])
    O[t, 1] = high - low
    for k in T.unroll(2):
        v = twice(half, A[t, k])
        O[t, 2 + k] = v
