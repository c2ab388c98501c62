# SPDX-License-Identifier: Apache-2.0
"""A parameter in parentheses."""

from tirxcc.script import tirx as T


@T.function
def parameter_in_parentheses((A), B: T.Tensor((4,), T.float32)):
    B[0] = 1.0
