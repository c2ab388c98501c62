# SPDX-License-Identifier: Apache-2.0
"""A comprehension binds names."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def comprehension_target(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = sum([1.0 for B[0] in range(4)])
