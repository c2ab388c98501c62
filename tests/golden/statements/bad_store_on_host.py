# SPDX-License-Identifier: Apache-2.0
"""Host code cannot store to the memory of the device."""

from tirxcc.script import tirx as T


@T.function
def store_on_host(A: T.Tensor((32,), T.float32)):
    A[0] = 1.0
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 2.0
