# SPDX-License-Identifier: Apache-2.0
"""A decorator before nothing."""

from tirxcc.script import tirx as T


@T.function
SIZE = 4
