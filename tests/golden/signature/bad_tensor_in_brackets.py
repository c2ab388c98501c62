# SPDX-License-Identifier: Apache-2.0
"""T.Tensor with brackets, as type hints have them."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def tensor_in_brackets(A: T.Tensor[(n,), "float32"], B: T.float32[n], C: T.Tensor((n,), T.float32)):
    pass
