# SPDX-License-Identifier: Apache-2.0
"""A file without any kernel."""

from tirxcc.script import tirx as T

SIZE = 4
