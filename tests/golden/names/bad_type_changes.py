# SPDX-License-Identifier: Apache-2.0
"""Another type starts another variable, with a warning."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def type_changes(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = 1
    x = 2.5
    A[i] = x + y
