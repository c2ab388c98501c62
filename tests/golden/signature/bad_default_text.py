# SPDX-License-Identifier: Apache-2.0
"""The default of a scalar is a number."""

from tirxcc.script import tirx as T


@T.function
def default_text(A: T.Tensor((32,), T.float32), s: T.float32 = "one"):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = s
