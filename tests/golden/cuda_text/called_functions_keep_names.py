# SPDX-License-Identifier: Apache-2.0
"""A function that the kernel calls keeps its name; the variable gives way."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def called_functions_keep_names(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        sqrtf = A[i] * 2.0
        cosf = sqrtf + 1.0
        max_nan = T.sqrt(sqrtf) + cosf
        O[i] = max_nan
