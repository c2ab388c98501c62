# SPDX-License-Identifier: Apache-2.0
"""Minus on unsigned values wraps; on bool it gives int32."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unary_minus(A: T.Tensor((n,), T.uint32), O: T.Tensor((n, 3), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = -A[i]
        O[i, 1] = T.uint32(-(A[i] > 3))
        O[i, 2] = +A[i]
