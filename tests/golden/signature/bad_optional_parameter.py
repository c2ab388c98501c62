# SPDX-License-Identifier: Apache-2.0
"""Optional parameters are not there yet; the message says so and what to do."""

from tirxcc.script import tirx as T


@T.function
def optional_parameter(A: T.Tensor((32,), T.float32), B: T.Tensor((32,), T.float32) | None = None):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 0.0
