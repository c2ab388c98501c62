# SPDX-License-Identifier: Apache-2.0
"""A result needs a result type."""

from tirxcc.script import tirx as T


@T.function
def return_without_type(A: T.Tensor((4,), T.float32)):
    if A[0] > 0.0:
        return 1
