# SPDX-License-Identifier: Apache-2.0
"""An integer becomes float32 for a function of floats."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def integer_argument(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = T.sqrt(A[i])
