# SPDX-License-Identifier: Apache-2.0
"""An empty list of type parameters."""

from tirxcc.script import tirx as T


@T.function
def type_parameters_empty[](A: T.Tensor((4,), T.float32)):
    A[0] = 1.0
