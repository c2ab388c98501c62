# SPDX-License-Identifier: Apache-2.0
"""A function inside a kernel that assigns names of the kernel, where Python would make its own."""

from tirxcc.script import tirx as T


@T.function
def shared(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    i = T.cuda.thread_idx("x")
    t = 5

    @T.inline
    def twice(x):
        t = x * 2
        return t + 1

    def last(x):
        for k in range(2):
            later, own = x + k, 3
        return later + own

    def parameter(t):
        t = t + 1
        return t

    later = 100
    A[i] = twice(i) + last(i) + parameter(i + 1) + t + later
