# SPDX-License-Identifier: Apache-2.0
"""Another declared type starts another variable, with a warning."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def declared_twice(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x: T.int32 = 1
    x: T.float32 = 2.5
    A[i] = x + y
