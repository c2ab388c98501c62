# SPDX-License-Identifier: Apache-2.0
"""What the page about the language shows of @T.inline."""

from tirxcc.script import tirx as T


@T.inline
def grow(total, x):
    square = x * x
    total += square


@T.inline
def both(x):
    return T.floor(x), x - T.floor(x)


@T.inline
def sign(x):
    if x > 0.0:
        return 1
    return 0 if x == 0.0 else -1


@T.function
def kernel(A: T.Tensor((64,), T.float32), S: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    acc = A[t]
    grow(acc, A[t] + 1.0)
    whole, rest = both(acc)
    A[t] = whole + rest
    S[t] = sign(rest)
