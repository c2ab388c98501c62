# SPDX-License-Identifier: Apache-2.0
"""A slip in the decorator."""

from tirxcc.script import tirx as T


@T.fucntion
def decorator_misspelt(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = 1.0
