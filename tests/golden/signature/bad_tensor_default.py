# SPDX-License-Identifier: Apache-2.0
"""A tensor has no default."""

from tirxcc.script import tirx as T


@T.function
def tensor_default(A: T.Tensor((32,), T.float32) = None):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
