# SPDX-License-Identifier: Apache-2.0
"""Python would take the last of the name; here it would be a matter of luck which one is called."""

from tirxcc.script import tirx as T


@T.function
def fill(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 0.0


@T.function
def fill(A: T.Tensor((32,), T.float32)):  # noqa: F811
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
