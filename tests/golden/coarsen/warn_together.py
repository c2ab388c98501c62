# SPDX-License-Identifier: Apache-2.0
# options: --coarsen 4
"""Kernels whose threads work together stay as they are, and a note says why."""

from tirxcc.script import tirx as T


@T.function
def votes(A: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = T.cuda.__shfl_sync(0xFFFFFFFF, A[T.cuda.thread_idx("x")], 0, 32)


@T.function
def odd_block(A: T.Tensor((30,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=30))
    A[T.cuda.thread_idx("x")] = 1
