# SPDX-License-Identifier: Apache-2.0
"""A keyword that LaunchConfig does not have; the nearest is named."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def keyword_unknown(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, blocks=32))
    A[0] = 1
