# SPDX-License-Identifier: Apache-2.0
"""Module math works on what is known while compiling."""

import math

from tirxcc.script import tirx as T

n = T.dynamic("n")

ROOT = math.log2(8) + math.gcd(12, 18)


@T.function
def module_math(A: T.Tensor((n,), T.float32), O: T.Tensor((n, 3), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] * (math.pi / 2)
        O[i, 1] = math.sqrt(2.0) + math.floor(2.75)
        O[i, 2] = A[i] * ROOT
