# SPDX-License-Identifier: Apache-2.0
"""One lane reads what another stores: the serial loop, in its order."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def vectorized_shift(A: T.Tensor((n, 5), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for k in T.vectorized(4):
            A[i, k + 1] = A[i, k] + 1.0
