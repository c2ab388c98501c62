# SPDX-License-Identifier: Apache-2.0
"""A shape beyond 2^31 elements makes the offset long long; the indices stay int."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def offsets_of_large_tensors(A: T.Tensor((65536, 65536), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i, i + 1] + A[(i + 2) * 2, 0]
