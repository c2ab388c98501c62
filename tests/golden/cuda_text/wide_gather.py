# SPDX-License-Identifier: Apache-2.0
"""An index that is loaded is loaded widely; what it finds is not."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def wide_gather(
    P: T.Tensor((n, 4), T.int32),
    A: T.Tensor((n,), T.float32),
    O: T.Tensor((n, 4), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            O[i, k] = A[P[i, k]]
