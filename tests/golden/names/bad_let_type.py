# SPDX-License-Identifier: Apache-2.0
"""A named value of another type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def let_type(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x: T.let[T.int32] = A[i]
    A[i] = x
