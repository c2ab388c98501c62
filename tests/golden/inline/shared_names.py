# SPDX-License-Identifier: Apache-2.0
"""'nonlocal' says that a name is the kernel's, which it is in a function inside it anyway."""

from tirxcc.script import tirx as T


@T.function
def counts(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    count = 0
    sum = 0

    def add(x):
        nonlocal count
        count = count + x
        sum += x
        own = x * 2
        return own

    A[t] = add(t) + add(3)
    A[t] += count + sum
