# SPDX-License-Identifier: Apache-2.0
"""A value that nothing uses."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def no_effect(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] * 2.0
    i == 3
    A
    T.cuda.LaunchConfig(grid=1, block=256)
    T.sqrt(A[i])
    T.gpu_thread_return
    len(A.shape)
    A[i] = 1.0
