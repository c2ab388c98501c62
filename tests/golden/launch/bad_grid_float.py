# SPDX-License-Identifier: Apache-2.0
"""A size is a whole number."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_float(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2.0, block=32))
    A[0] = 1
