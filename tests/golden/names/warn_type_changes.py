# SPDX-License-Identifier: Apache-2.0
"""An assignment of another type is another variable."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def type_changes(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = A[i]
    B[i] = x
    x = A[i] * 0.5
    B[i] = T.int32(x)
