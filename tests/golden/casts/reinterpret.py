# SPDX-License-Identifier: Apache-2.0
"""The same bits read as another type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def reinterpret(
    A: T.Tensor((n,), T.float32),
    B: T.Tensor((n,), T.int32),
    O: T.Tensor((n,), T.int32),
    P: T.Tensor((n,), T.float32),
    Q: T.Tensor((n,), T.uint32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = T.reinterpret(A[i], ty="int32")
        P[i] = T.reinterpret(B[i], ty="float32")
        Q[i] = T.reinterpret(A[i], ty="uint32")
