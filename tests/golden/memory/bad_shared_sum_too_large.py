# SPDX-License-Identifier: Apache-2.0
"""Arrays each of which a block has room for, static and dynamic, and a size that only the launch
knows."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def sum_too_large(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    first = T.alloc_shared((8000,), T.float32)
    second = T.alloc_shared((50000,), T.float32, scope="shared.dyn")
    flags = T.alloc_shared((513,), T.int8, scope="shared.dyn")
    rest = T.alloc_shared((n,), T.float32, scope="shared.dyn")
    first[t] = A[t]
    second[t] = A[t]
    flags[t] = T.cast(A[t], "int8")
    rest[t] = first[t] + second[t] + T.cast(flags[t], "float32")
    A[t] = rest[t]
