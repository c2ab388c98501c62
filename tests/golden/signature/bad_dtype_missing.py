# SPDX-License-Identifier: Apache-2.0
"""A tensor has an element type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def dtype_missing(A: T.Tensor((n,)), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
