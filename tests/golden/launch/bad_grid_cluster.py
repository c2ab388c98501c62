# SPDX-License-Identifier: Apache-2.0
"""The grid is made of whole clusters."""

from tirxcc.script import tirx as T


@T.function
def grid_cluster(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=3, block=32, cluster=2))
    A[T.cuda.thread_idx("x")] = 1.0
