# SPDX-License-Identifier: Apache-2.0
"""A helper without @T.inline; and conversions of a whole tensor."""

from tirxcc.script import tirx as T


def twice(x):
    return x * 2.0


@T.function
def f(A: T.Tensor((4,), T.float32), B: T.Tensor((4,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=1))
    A[0] = twice(A[1])
    B[0] = A.astype(T.int32)[0]
