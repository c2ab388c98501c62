# SPDX-License-Identifier: Apache-2.0
"""One way through the function has no result."""

from tirxcc.script import tirx as T


@T.function
def return_missing(x: T.int32) -> T.int32:
    if x > 0:
        return x
