# SPDX-License-Identifier: Apache-2.0
"""The file ends within a bracket."""

from tirxcc.script import tirx as T


@T.function
def end_of_file(A: T.Tensor((4,), T.float32
