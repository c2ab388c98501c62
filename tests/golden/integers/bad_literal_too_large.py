# SPDX-License-Identifier: Apache-2.0
"""A number that no type can hold."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def literal_too_large(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = A[i] + 99999999999999999999
