# SPDX-License-Identifier: Apache-2.0
"""The default fits its type."""

from tirxcc.script import tirx as T


@T.function
def default_too_large(A: T.Tensor((32,), T.float32), s: T.uint8 = 300):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = s
