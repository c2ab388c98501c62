# SPDX-License-Identifier: Apache-2.0
"""A Python type is no type of the language."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def annotation_python_type(A: float, B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
