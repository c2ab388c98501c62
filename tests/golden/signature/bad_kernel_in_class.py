# SPDX-License-Identifier: Apache-2.0
"""Kernels in classes are not supported yet."""

from tirxcc.script import tirx as T


@T.function
def outside(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[0] = 1.0


class Library:
    @T.function
    def inside(A: T.Tensor((64,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
        A[0] = 1.0
