# SPDX-License-Identifier: Apache-2.0
"""A list that is too long."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def long_list(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = [0] * 10000000
    A[i] = x[0]
