# SPDX-License-Identifier: Apache-2.0
"""No decorator of the language."""

from tirxcc.script import tirx as T


@T.kernel
def decorator_invented(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = 1.0
