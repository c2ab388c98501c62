# SPDX-License-Identifier: Apache-2.0
"""Angles and their functions."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def trigonometric(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 3), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.sin(A[i])
        O[i, 1] = T.cos(A[i])
        O[i, 2] = T.tan(A[i])
