# SPDX-License-Identifier: Apache-2.0
"""A variable that a function passes on is still the caller's, whoever assigns it."""

from tirxcc.script import tirx as T


@T.inline
def step(acc, x):
    twice = x * 2.0
    acc = acc + twice


@T.inline
def steps(acc, X, t):
    for k in range(4):
        if X[t, k] > 0.0:
            step(acc, X[t, k])


@T.function
def kernel(X: T.Tensor((64, 4), T.float32), O: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    total: T.float32 = 0.0
    steps(total, X, t)
    O[t] = total
