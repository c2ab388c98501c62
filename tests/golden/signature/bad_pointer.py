# SPDX-License-Identifier: Apache-2.0
"""Plain pointers are not supported yet."""

from tirxcc.script import tirx as T


@T.function
def pointer(p: T.Ptr(T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
