# SPDX-License-Identifier: Apache-2.0
"""A type that does not exist; the nearest is named."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def type_unknown(A: T.flaot32, B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
