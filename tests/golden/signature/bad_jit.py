# SPDX-License-Identifier: Apache-2.0
"""Kernels with compile-time parameters are not supported yet."""

from tirxcc.script import tirx as T


@T.jit
def jit(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
