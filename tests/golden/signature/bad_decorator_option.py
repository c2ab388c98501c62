# SPDX-License-Identifier: Apache-2.0
"""The options of the decorator are switches."""

from tirxcc.script import tirx as T


@T.function(private=1)
def decorator_option(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
