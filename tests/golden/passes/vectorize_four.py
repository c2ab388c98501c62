# SPDX-License-Identifier: Apache-2.0
# pass: vectorize
# target: cuda
"""Four neighbours are one wide access."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def vectorize_four(C: T.Tensor((n, 4), T.float32), D: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            D[i, k] = C[i, k] * 2.0
