# SPDX-License-Identifier: Apache-2.0
"""The wider float wins; a float beats every integer."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def mixed_types(
    A: T.Tensor((n,), T.float16),
    B: T.Tensor((n,), T.float32),
    C: T.Tensor((n,), T.float64),
    D: T.Tensor((n,), T.int64),
    O: T.Tensor((n, 2), T.float32),
    P: T.Tensor((n, 2), T.float64),
    Q: T.Tensor((n,), T.float16),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] + B[i]
        O[i, 1] = B[i] * D[i]
        P[i, 0] = C[i] - B[i]
        P[i, 1] = C[i] * D[i]
        Q[i] = A[i] + D[i]
