# SPDX-License-Identifier: Apache-2.0
"""Tabs and blanks that do not agree."""

from tirxcc.script import tirx as T


@T.function
def tabs_and_blanks(A: T.Tensor((4,), T.float32)):
    if A[0] > 0.0:
	A[0] = 1.0
