# SPDX-License-Identifier: Apache-2.0
"""A default that is not there."""

from tirxcc.script import tirx as T


@T.function
def default_missing(a: T.int32 =, b: T.int32 = 2):
    pass
