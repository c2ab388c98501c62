# SPDX-License-Identifier: Apache-2.0
"""An elif chain stays flat."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def long_chain(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] == 0:
            O[i] = 10
        elif A[i] == 1:
            O[i] = 20
        elif A[i] == 2:
            O[i] = 5
        elif A[i] < 0:
            O[i] = -1
