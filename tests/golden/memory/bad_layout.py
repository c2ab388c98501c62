# SPDX-License-Identifier: Apache-2.0
"""Layouts are not supported yet."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def layout(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    r = T.alloc_local((4,), "float32", layout=3)
    r[0] = A[i]
