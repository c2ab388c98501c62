# SPDX-License-Identifier: Apache-2.0
"""A declaration without a value, assigned later."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def declared_later(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x: T.int32
        if A[i] > 0:
            x = 1
        else:
            x = 2
        O[i] = x
