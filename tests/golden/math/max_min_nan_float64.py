# SPDX-License-Identifier: Apache-2.0
"""There is no instruction for it in float64: a comparison."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def max_min_nan_float64(
    A: T.Tensor((n,), T.float64), B: T.Tensor((n,), T.float64), O: T.Tensor((n, 2), T.float64)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.max(A[i], B[i])
        O[i, 1] = T.min(A[i], B[i])
