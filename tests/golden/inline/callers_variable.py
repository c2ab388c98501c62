# SPDX-License-Identifier: Apache-2.0
"""A parameter that the function assigns is the caller's variable, if the caller gave a name."""

from tirxcc.script import tirx as T


@T.inline
def accumulate(total, value):
    total = total + value


@T.inline
def clamped(x):
    if x > 6.0:
        x = 6.0
    return x


@T.function
def kernel(A: T.Tensor((64, 4), T.float32), S: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    acc: T.float32 = 0.0
    for k in range(4):
        accumulate(acc, A[t, k])
    S[t] = acc + clamped(A[t, 0] * 2.0)
