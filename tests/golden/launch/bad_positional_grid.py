# SPDX-License-Identifier: Apache-2.0
"""LaunchConfig takes keywords."""

from tirxcc.script import tirx as T


@T.function
def positional_grid(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(1, 32))
    A[T.cuda.thread_idx("x")] = 1.0
