# SPDX-License-Identifier: Apache-2.0
"""Arguments of an expansion are checked like those of any call."""

from tirxcc.script import tirx as T


@T.inline
def scaled(x, by):
    return x * by


@T.inline
def summed(*xs):
    return xs[0]


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    A[t] = scaled(A[t])
    A[t] = scaled(A[t], 2.0, 3.0)
    A[t] = scaled(A[t], factor=2.0)
    A[t] = summed(A[t])
