# SPDX-License-Identifier: Apache-2.0
# options: --plain-scalars
"""With --plain-scalars a mutable scalar is a C++ variable."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def plain_scalars(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        k: T.int32 = 0
        while k < 8:
            if A[i] > total:
                last = k * 2
            else:
                last = k
            total += A[i] * last
            k += 1
        O[i] = total
