# SPDX-License-Identifier: Apache-2.0
"""Scope ids and a LaunchConfig say the same thing twice."""

from tirxcc.script import tirx as T


@T.function
def native_with_launch(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    tx = T.thread_id([32])
    A[tx] = 1.0
