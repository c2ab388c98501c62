# SPDX-License-Identifier: Apache-2.0
"""A constant that only Python itself can compute."""

from tirxcc.script import tirx as T

import os

SIZE = len(os.environ)


@T.function
def module_needs_python(A: T.Tensor((SIZE,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[0] = 1.0
