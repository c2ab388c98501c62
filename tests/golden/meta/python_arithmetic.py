# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of Python numbers is Python's, without a width."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def python_arithmetic(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] + (1 << 40) // (1 << 38)
        O[i, 1] = -7 // 2 + -7 % 3
        O[i, 2] = 2**62 // 4**29
        O[i, 3] = int(7 / 2 + 0.5) + round(2.5) + abs(-3)
