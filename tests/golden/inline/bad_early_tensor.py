# SPDX-License-Identifier: Apache-2.0
"""A result that the kernel chooses is a number."""

from tirxcc.script import tirx as T


@T.inline
def choose(x, A, I):
    if x > 0.0:
        return A
    return I


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    B = choose(A[t], A, I)
