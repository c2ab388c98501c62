# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""T.parallel spreads a loop over the threads of the CPU."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def parallel_loop(A: T.Tensor((n, 16), T.float32), O: T.Tensor((n,), T.float32)):
    for i in T.parallel(n):
        total: T.float32 = 0.0
        for k in range(16):
            total += A[i, k]
        O[i] = total
