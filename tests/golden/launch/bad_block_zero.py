# SPDX-License-Identifier: Apache-2.0
"""A block has at least one thread."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_zero(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(32, 0)))
    A[0] = 1
