# SPDX-License-Identifier: Apache-2.0
"""A format is a literal with conversions: neither an f-string nor Python's print."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def k(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.cuda.printf(f"{i} {A[i]}")
    print(i)
