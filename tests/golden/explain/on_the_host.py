# SPDX-License-Identifier: Apache-2.0
"""A function without device_entry is a call on the host; T.parallel spreads turns over the pool."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def on_the_host(A: T.Tensor((n,), T.float32)):
    for i in T.parallel(n):
        A[i] = A[i] * 2.0
