# SPDX-License-Identifier: Apache-2.0
"""A name of the language that this version does not translate."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    T.print_buffer(A)
