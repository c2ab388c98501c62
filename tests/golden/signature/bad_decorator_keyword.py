# SPDX-License-Identifier: Apache-2.0
"""An option that the decorator does not have."""

from tirxcc.script import tirx as T


@T.function(privat=True)
def decorator_keyword(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
