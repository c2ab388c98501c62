# SPDX-License-Identifier: Apache-2.0
"""A starred name needs others beside it."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def starred_target(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    *rest = A[i]
