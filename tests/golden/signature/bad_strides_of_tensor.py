# SPDX-License-Identifier: Apache-2.0
"""T.Tensor has no strides."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def strides_of_tensor(A: T.Tensor((n,), T.float32, strides=(2,)), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
