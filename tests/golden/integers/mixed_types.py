# SPDX-License-Identifier: Apache-2.0
"""Signed meets unsigned: the wider wins, at equal width unsigned."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def mixed_types(
    A: T.Tensor((n,), T.int32),
    B: T.Tensor((n,), T.uint32),
    C: T.Tensor((n,), T.int64),
    D: T.Tensor((n,), T.uint8),
    O: T.Tensor((n, 2), T.int64),
    P: T.Tensor((n, 2), T.uint32),
    Q: T.Tensor((n,), T.int32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = C[i] + A[i]
        O[i, 1] = C[i] * B[i]
        P[i, 0] = A[i] + B[i]
        P[i, 1] = B[i] - D[i]
        Q[i] = A[i] - D[i]
