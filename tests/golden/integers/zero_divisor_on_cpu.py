# SPDX-License-Identifier: Apache-2.0
"""On the CPU a zero divisor gives quotient 0 and leaves the remainder."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def zero_divisor_on_cpu(
    A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32), O: T.Tensor((n, 2), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] // B[i]
        O[i, 1] = A[i] % B[i]
