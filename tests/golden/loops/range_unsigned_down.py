# SPDX-License-Identifier: Apache-2.0
"""A loop over unsigned bounds may count down."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def range_unsigned_down(A: T.Tensor((n,), T.uint32), O: T.Tensor((n, 2), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.uint32(0)
        O[i, 1] = T.uint32(0)
        for k in range(A[i], T.uint32(3), -7):
            O[i, 0] += k
        for k in range(A[i], T.uint32(0), -1):
            O[i, 1] += 1
