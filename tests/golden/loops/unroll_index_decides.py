# SPDX-License-Identifier: Apache-2.0
"""Conditions on the index of T.unroll are decided while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_index_decides(A: T.Tensor((n, 4), T.int32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.unroll(4):
            if k == 0:
                O[i, k] = A[i, k]
            elif k % 2 == 1:
                O[i, k] = A[i, k] + A[i, k - 1]
            else:
                O[i, k] = -A[i, k]
