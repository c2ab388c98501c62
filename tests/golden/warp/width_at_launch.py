# SPDX-License-Identifier: Apache-2.0
"""How many lanes work together may be an argument."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def groups(
    A: T.Tensor((n,), T.int32),
    B: T.Tensor((n, 4), T.int32),
    width: T.int32,
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    a = A[T.min(i, n - 1)]
    first = T.cuda.__shfl_sync(0xFFFFFFFF, a, 0, width)
    left = T.cuda.__shfl_up_sync(0xFFFFFFFF, a, 1, width)
    right = T.cuda.__shfl_down_sync(0xFFFFFFFF, a, 1, width)
    other = T.cuda.__shfl_xor_sync(0xFFFFFFFF, a, 1, width)
    if i < n:
        B[i, 0] = first
        B[i, 1] = left
        B[i, 2] = right
        B[i, 3] = other


@T.function
def uneven(A: T.Tensor((40,), T.int32), B: T.Tensor((40,), T.int32), width: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=40))
    t = T.cuda.thread_idx("x")
    B[t] = T.cuda.__shfl_sync(0xFFFFFFFF, A[t], 3, width)
