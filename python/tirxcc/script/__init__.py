# SPDX-License-Identifier: Apache-2.0
"""`from tirxcc.script import tirx as T`: the kernel language."""

from tirxcc.script import tirx

__all__ = ["tirx"]
