# SPDX-License-Identifier: Apache-2.0
"""The message of an assert is a text."""

from tirxcc.script import tirx as T


@T.function
def assert_message(x: T.int32) -> T.int32:
    assert x > 0, x
    return x
