# SPDX-License-Identifier: Apache-2.0
"""A kernel without its decorator."""

from tirxcc.script import tirx as T


def decorator_missing(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = 1.0
