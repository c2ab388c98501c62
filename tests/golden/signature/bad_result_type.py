# SPDX-License-Identifier: Apache-2.0
"""The result is a scalar."""

from tirxcc.script import tirx as T


@T.function
def result_type(x: T.int32) -> "text":
    return x
