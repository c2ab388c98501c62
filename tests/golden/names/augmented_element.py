# SPDX-License-Identifier: Apache-2.0
"""The index of an augmented assignment is evaluated once."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def augmented_element(A: T.Tensor((n, 4), T.int32), P: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        A[i, P[i]] += 10
        A[i, 3] <<= 1
        A[i, 2] //= 2
        A[i, 1] ^= 5
