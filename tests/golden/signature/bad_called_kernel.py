# SPDX-License-Identifier: Apache-2.0
"""Calls between functions are not supported yet."""

from tirxcc.script import tirx as T


@T.function
def helper(x: T.float32) -> T.float32:
    return x + 1.0


@T.function
def called_kernel(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = helper(1.0)
