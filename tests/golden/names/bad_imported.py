# SPDX-License-Identifier: Apache-2.0
"""A module of Python has no value in a kernel."""

from tirxcc.script import tirx as T

import os


@T.function
def imported(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = os.sep
