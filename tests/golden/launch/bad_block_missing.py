# SPDX-License-Identifier: Apache-2.0
"""LaunchConfig needs a block."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_missing(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1))
    A[0] = 1
