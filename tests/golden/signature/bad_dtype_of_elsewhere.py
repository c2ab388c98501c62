# SPDX-License-Identifier: Apache-2.0
"""Types by the names of C, of Python and misspelt."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def dtype_of_elsewhere(
    A: T.Tensor((n,), "float"),
    B: T.Tensor((n,), int),
    C: T.Tensor((n,), "flaot32"),
    D: T.Tensor((n,), T.double),
):
    pass
