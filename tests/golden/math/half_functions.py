# SPDX-License-Identifier: Apache-2.0
"""Functions that CUDA has for half use its own names."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def half_functions(A: T.Tensor((n,), T.float16), O: T.Tensor((n, 5), T.float16)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.sqrt(A[i])
        O[i, 1] = T.exp(A[i])
        O[i, 2] = T.log(A[i])
        O[i, 3] = T.floor(A[i])
        O[i, 4] = T.fabs(A[i])
