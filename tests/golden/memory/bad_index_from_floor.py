# SPDX-License-Identifier: Apache-2.0
"""Floats where an integer is wanted: how to make them integers."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.float32), x: T.float32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.floor(x)] = 1.0
    for k in range(A[0]):
        A[k] = 2.0
