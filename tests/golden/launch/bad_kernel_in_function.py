# SPDX-License-Identifier: Apache-2.0
"""A kernel that only Python makes."""

from tirxcc.script import tirx as T


def make(c):
    @T.function
    def inside(A: T.Tensor((64,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
        A[T.cuda.thread_idx("x")] = c

    return inside
