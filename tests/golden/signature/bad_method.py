# SPDX-License-Identifier: Apache-2.0
"""A kernel is a function, not a method."""

from tirxcc.script import tirx as T


class Holder:
    @T.function
    def method(self, A: T.Tensor((64,), T.float32)):
        T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
        A[0] = 1.0
