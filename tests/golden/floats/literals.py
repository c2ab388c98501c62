# SPDX-License-Identifier: Apache-2.0
"""Float literals: shortest digits that read back, exact in float64."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def literals(O: T.Tensor((n, 6), T.float32), P: T.Tensor((n, 3), T.float64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = 0.1
        O[i, 1] = 1e-30
        O[i, 2] = 16777216.0
        O[i, 3] = T.float32("inf")
        O[i, 4] = T.float32("-inf")
        O[i, 5] = 3
        P[i, 0] = 0.1
        P[i, 1] = 1e300
        P[i, 2] = 1.0
