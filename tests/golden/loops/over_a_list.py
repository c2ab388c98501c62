# SPDX-License-Identifier: Apache-2.0
"""A list of the compiler's own values is unrolled."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def over_a_list(A: T.Tensor((n, 8), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in [1, 5, 2]:
            total = total * 100 + A[i, k]
        O[i] = total
