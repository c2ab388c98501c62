# SPDX-License-Identifier: Apache-2.0
"""A recursion that nothing known while compiling ends."""

from tirxcc.script import tirx as T


@T.inline
def endless(x):
    return endless(x + 1.0)


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    A[t] = endless(A[t])
