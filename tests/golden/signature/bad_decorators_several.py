# SPDX-License-Identifier: Apache-2.0
"""A kernel has one decorator."""

from tirxcc.script import tirx as T


@T.max
@T.function
def decorators_several(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
