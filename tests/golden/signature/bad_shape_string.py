# SPDX-License-Identifier: Apache-2.0
"""A shape holds numbers and symbols."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def shape_string(A: T.Tensor(("n",), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
