# SPDX-License-Identifier: Apache-2.0
"""A branch in the body keeps the loop."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def vectorized_branch(A: T.Tensor((n, 4), T.float32), O: T.Tensor((n, 4), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            if A[i, k] > 0.0:
                O[i, k] = A[i, k]
            else:
                O[i, k] = 0.0
