# SPDX-License-Identifier: Apache-2.0
"""A size cannot be read from the memory of the device."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def block_from_memory(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=A[0], block=32))
    A[0] = 1
