# SPDX-License-Identifier: Apache-2.0
"""An annotation that is no type at all."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def annotation_value(A: 5, B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
