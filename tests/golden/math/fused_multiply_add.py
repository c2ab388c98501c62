# SPDX-License-Identifier: Apache-2.0
"""One rounding for a product and a sum."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def fused_multiply_add(
    A: T.Tensor((n,), T.float32),
    B: T.Tensor((n,), T.float32),
    C: T.Tensor((n,), T.float32),
    O: T.Tensor((n,), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = T.fma(A[i], B[i], C[i])
