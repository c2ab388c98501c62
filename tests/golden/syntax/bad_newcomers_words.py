# SPDX-License-Identifier: Apache-2.0
"""What people bring from NumPy, CUDA C++ and typed Python."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def typed(A: T.Tensor((n,), T.float32), scale: float):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    A[0] = scale


@T.function
def words(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx(0) * 256 + T.cuda.thread_idx("x")
    B[i] = A[T.cuda.thread_idx("x")] ^ 2
    B[0] = A.sum()
