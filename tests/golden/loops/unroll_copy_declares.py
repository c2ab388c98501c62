# SPDX-License-Identifier: Apache-2.0
"""A copy that declares a name stands in braces."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_copy_declares(A: T.Tensor((n, 2), T.int32), O: T.Tensor((n, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.unroll(2):
            twice = A[i, k] * 2
            O[i, k] = twice * twice
