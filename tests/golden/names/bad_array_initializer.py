# SPDX-License-Identifier: Apache-2.0
"""A local array has no initial value."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def array_initializer(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x: T.float32[4] = 0.0
    A[i] = x[0]
