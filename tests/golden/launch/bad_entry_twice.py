# SPDX-License-Identifier: Apache-2.0
"""One device entry is enough for a function."""

from tirxcc.script import tirx as T


@T.function
def entry_twice(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1
