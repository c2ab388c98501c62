# SPDX-License-Identifier: Apache-2.0
"""Host code cannot read the memory of the device."""

from tirxcc.script import tirx as T


@T.function
def tensor_read_on_host(A: T.Tensor((64,), T.int32)):
    first = A[0]
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = first
