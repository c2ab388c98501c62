# SPDX-License-Identifier: Apache-2.0
"""Literals that float32 only has as infinity or as 0."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def literal_out_of_range(A: T.Tensor((n,), T.float32), D: T.Tensor((n,), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = A[i] + 1e39
    if A[i] > -1e300:
        A[i] = A[i] * 1e-60
    A[i] = 1e400
    A[i] = T.float32("inf")
    D[i] = 1e300
