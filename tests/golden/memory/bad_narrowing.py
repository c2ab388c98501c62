# SPDX-License-Identifier: Apache-2.0
"""Values that may not fit."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def narrowing(A: T.Tensor((n,), T.uint8), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = B[i]
    A[i] = nothing
