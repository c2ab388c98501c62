# SPDX-License-Identifier: Apache-2.0
"""Dialect A needs the launch, if no scope ids follow."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def entry_without_launch(A: T.Tensor((n,), T.int32)):
    T.device_entry()
    A[0] = 1
