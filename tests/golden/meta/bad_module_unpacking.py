# SPDX-License-Identifier: Apache-2.0
"""Two names for one value."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

a, b = (1,)


@T.function
def module_unpacking(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = b
