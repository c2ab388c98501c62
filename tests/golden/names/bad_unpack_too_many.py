# SPDX-License-Identifier: Apache-2.0
"""Two names for three values."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unpack_too_many(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    a, b = 1.0, 2.0, 3.0
    A[i] = a + b
