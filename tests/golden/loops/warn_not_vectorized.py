# SPDX-License-Identifier: Apache-2.0
"""A loop that cannot become a wide access says why."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def not_vectorized(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.vectorized(4):
        A[i * 5 + k] = 1.0
