# SPDX-License-Identifier: Apache-2.0
"""A kernel's printf takes 32 values; 64-bit integers and texts have conversions of their own."""

from tirxcc.script import tirx as T


@T.function
def kernel(L: T.Tensor((32,), T.int64), F: T.Tensor((32,), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    T.cuda.printf("%d", L[t])
    T.cuda.printf("%s", t)
    T.cuda.printf("%p", t)
    T.cuda.printf("%f", 1)
    T.cuda.printf(
        "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d",
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
        t,
    )
