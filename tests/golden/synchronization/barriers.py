# SPDX-License-Identifier: Apache-2.0
"""Barriers of a block and of a warp are CUDA's own."""

from tirxcc.script import tirx as T


@T.function
def barriers(A: T.Tensor((64,), T.int32), B: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    B[t] = A[t]
    T.cuda.warp_sync()
    A[t] = B[t ^ 1]
    T.cuda.cta_sync()
    B[t] = A[63 - t]
