# SPDX-License-Identifier: Apache-2.0
"""A barrier is for the threads of a block; a plain function has none."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def barrier_on_host(A: T.Tensor((n,), T.float32)):
    for i in range(n):
        A[i] = 1.0
        T.cuda.cta_sync()
