# SPDX-License-Identifier: Apache-2.0
"""launch= takes a LaunchConfig."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def entry_with_number(A: T.Tensor((n,), T.int32)):
    T.device_entry(launch=32)
    A[0] = 1
