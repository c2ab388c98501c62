# SPDX-License-Identifier: Apache-2.0
"""The same keyword twice."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def keyword_twice(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32, grid=2))
    A[0] = 1
