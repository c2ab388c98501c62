# SPDX-License-Identifier: Apache-2.0
"""A block has at most 1024 threads."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_too_large(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(32, 64)))
    A[0] = 1
