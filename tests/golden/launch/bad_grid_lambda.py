# SPDX-License-Identifier: Apache-2.0
"""A launch is no function of its sizes, as it is elsewhere."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_lambda(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=lambda n: n // 32, block=32))
    A[0] = 1
