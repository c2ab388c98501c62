# SPDX-License-Identifier: Apache-2.0
"""A function inside a kernel cannot be a kernel."""

from tirxcc.script import tirx as T



@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")

    @T.function
    def inner(x):
        return x * 2.0

    A[t] = inner(A[t])
