# SPDX-License-Identifier: Apache-2.0
"""A recursion that calls itself twice doubles at every level."""

from tirxcc.script import tirx as T


@T.inline
def f(a, k):
    if k == 0:
        return a
    return f(a, k - 1) + f(a, k - 1)


@T.function
def kernel(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    A[t] = f(A[t], 25)
