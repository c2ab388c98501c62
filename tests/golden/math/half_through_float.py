# SPDX-License-Identifier: Apache-2.0
"""Functions that CUDA lacks for half go through float."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def half_through_float(A: T.Tensor((n,), T.float16), O: T.Tensor((n, 3), T.float16)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.sinh(A[i])
        O[i, 1] = T.erf(A[i])
        O[i, 2] = T.atan(A[i])
