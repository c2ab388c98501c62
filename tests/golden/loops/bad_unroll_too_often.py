# SPDX-License-Identifier: Apache-2.0
"""A body is not copied without end."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_too_often(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.unroll(100000000):
        A[i] = 1.0
