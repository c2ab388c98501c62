# SPDX-License-Identifier: Apache-2.0
"""LaunchConfig needs a grid."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_missing(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(block=32))
    A[0] = 1
