# SPDX-License-Identifier: Apache-2.0
"""A switch is True or False."""

from tirxcc.script import tirx as T


@T.function
def cooperative_number(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32, cooperative="yes"))
    A[T.cuda.thread_idx("x")] = 1.0
