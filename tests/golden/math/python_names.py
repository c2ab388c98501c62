# SPDX-License-Identifier: Apache-2.0
"""Python's own names mean the functions of T."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def python_names(
    A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), O: T.Tensor((n, 4), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = max(A[i], B[i])
        O[i, 1] = min(A[i], B[i])
        O[i, 2] = abs(A[i])
        O[i, 3] = round(B[i])
