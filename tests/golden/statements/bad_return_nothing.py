# SPDX-License-Identifier: Apache-2.0
"""A function with a result returns one."""

from tirxcc.script import tirx as T


@T.function
def return_nothing(x: T.int32) -> T.int32:
    if x > 0:
        return
    return x
