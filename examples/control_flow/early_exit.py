# SPDX-License-Identifier: Apache-2.0
"""Threads beyond the end leave at once instead of guarding the rest with an if."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def early_exit(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    B[i] = A[i] * 2.0
