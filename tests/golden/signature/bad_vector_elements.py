# SPDX-License-Identifier: Apache-2.0
"""Elements are scalars."""

from tirxcc.script import tirx as T


@T.function
def vector_elements(A: T.Tensor((32,), "float32x4")):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[0] = 1.0
