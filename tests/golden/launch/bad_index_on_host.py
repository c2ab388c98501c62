# SPDX-License-Identifier: Apache-2.0
"""A thread index before the device entry."""

from tirxcc.script import tirx as T


@T.function
def index_on_host(A: T.Tensor((64,), T.int32)):
    i = T.cuda.thread_idx("x")
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[i] = 1
