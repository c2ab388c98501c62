# SPDX-License-Identifier: Apache-2.0
"""A mutable scalar that is the same in all threads is chosen by a parameter."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def choice_of_all_threads(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n:
        k: T.uint8 = 3
        k = T.uint8(T.Select(m <= 100, k, max(231, k)))
        O[i] = A[i] * k
