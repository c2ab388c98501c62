# SPDX-License-Identifier: Apache-2.0
"""Several results under a condition: told once, where they are returned."""

from tirxcc.script import tirx as T


@T.inline
def two(x):
    if x > 50:
        return 1, 2
    return 3, x


@T.function
def kernel(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    a, b = two(t)
    A[t] = a + b
