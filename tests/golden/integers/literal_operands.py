# SPDX-License-Identifier: Apache-2.0
"""A literal takes the type of what it meets; small types widen to int32."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def literal_operands(
    A: T.Tensor((n,), T.uint32),
    B: T.Tensor((n,), T.int8),
    O: T.Tensor((n, 2), T.uint32),
    P: T.Tensor((n, 2), T.int32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] & 0xFFFF0000
        O[i, 1] = A[i] ^ 0x80000000
        P[i, 0] = B[i] + 100
        P[i, 1] = B[i] * 3
