# SPDX-License-Identifier: Apache-2.0
"""So are enumerate and zip."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def enumerate_and_zip(A: T.Tensor((n, 8), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for place, k in enumerate([4, 2]):
            total += A[i, k] * (place + 1)
        for a, b in zip([0, 1], [6, 7]):
            total += A[i, a] * A[i, b]
        O[i] = total
