# SPDX-License-Identifier: Apache-2.0
"""Two names for three values."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def comprehension_unpacking(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = sum([a for a, b in [(1.0, 2.0, 3.0)]])
