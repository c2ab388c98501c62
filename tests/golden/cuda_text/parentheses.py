# SPDX-License-Identifier: Apache-2.0
"""C's minimum of parentheses, and those that a reader wants."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def parentheses(
    A: T.Tensor((n, 4), T.int32),
    O: T.Tensor((n, 10), T.int32),
    Q: T.Tensor((n, 2), T.bool),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        a = A[i, 0]
        b = A[i, 1]
        c = A[i, 2]
        O[i, 0] = a - (b - c) - (a + b)
        O[i, 1] = (a + b) * c - a * (b * c)
        O[i, 2] = ((a >> 4) + 1) << 2
        O[i, 3] = (a >> 3) & 7
        O[i, 4] = a & b | c ^ a
        O[i, 5] = a + (b & 15) * 2
        O[i, 6] = -(-a) - -b
        O[i, 7] = ~(a + b) - ~a
        O[i, 8] = (a if a < b else b) if c > 0 else c
        O[i, 9] = a - (-5)
        Q[i, 0] = a < b and b < c or not (a == c or b == c)
        Q[i, 1] = (a < b) == (b < c)
