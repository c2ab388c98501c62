# SPDX-License-Identifier: Apache-2.0
"""How many float32 lie between e^x or 2^x and the nearest one, which comes as its bits."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def exponential_everywhere(
    A: T.Tensor((n,), T.float32), R: T.Tensor((n, 2), T.int32), O: T.Tensor((n, 2), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.reinterpret(T.int32, T.exp(A[i])) - R[i, 0]
        O[i, 1] = T.reinterpret(T.int32, T.exp2(A[i])) - R[i, 1]
