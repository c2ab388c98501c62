# SPDX-License-Identifier: Apache-2.0
"""Host code of a function that launches has no result."""

from tirxcc.script import tirx as T


@T.function
def return_before_launch(A: T.Tensor((32,), T.float32), s: T.int32):
    if s == 0:
        return s
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
