# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""Without a device entry it is a function of the CPU."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def plain_function(A: T.Tensor((n,), T.float32), O: T.Tensor((1,), T.float32)):
    total: T.float32 = 0.0
    for i in range(n):
        if A[i] > 0.0:
            total += A[i]
    O[0] = total
