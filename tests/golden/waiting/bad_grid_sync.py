# SPDX-License-Identifier: Apache-2.0
"""All blocks of the launch must be under way for a barrier of the grid."""

from tirxcc.script import tirx as T


@T.function
def k(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=32))
    A[T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")] = 1
    T.cuda.grid_sync()
