# SPDX-License-Identifier: Apache-2.0
"""A path without a result."""

from tirxcc.script import tirx as T


@T.inline
def sign(x):
    if x > 0.0:
        return 1.0
    if x < 0.0:
        return -1.0


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    A[t] = sign(A[t])
