# SPDX-License-Identifier: Apache-2.0
"""A kernel has no object."""

from tirxcc.script import tirx as T


@T.function
def k(self, A: T.Tensor((4,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=4))
    A[T.cuda.thread_idx("x")] = 1.0
