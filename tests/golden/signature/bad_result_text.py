# SPDX-License-Identifier: Apache-2.0
"""A result is a scalar."""

from tirxcc.script import tirx as T


@T.function
def result_text(x: T.int32) -> 5:
    return x
