# SPDX-License-Identifier: Apache-2.0
"""A function that launches has no result."""

from tirxcc.script import tirx as T


@T.function
def result_of_launch(A: T.Tensor((32,), T.float32)) -> T.int32:
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 2.0
