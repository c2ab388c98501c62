# SPDX-License-Identifier: Apache-2.0
"""Votes and shuffles in operands that may be left out: what is guarded must not be read."""

from tirxcc.script import tirx as T


@T.function
def guarded_sync(A: T.Tensor((4, 32), T.int32), B: T.Tensor((32, 4), T.int32), n: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    far = n * 100_000_000
    i: T.int32 = 0
    while i < 4 and T.cuda.any_sync(0xFFFFFFFF, A[i * (1 + i // 4 * far), t] > 0):
        i += 1
    B[t, 0] = i
    B[t, 1] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[far, t], 1, 32) if n == 0 else 7
    if n == 1:
        B[t, 2] = 1
    elif n == 2 or T.cuda.all_sync(0xFFFFFFFF, A[(n - 2) * far, t] > 0):
        B[t, 2] = 2
    else:
        B[t, 2] = 3
    if n == 0 and T.cuda.syncthreads_or(A[far, t] > 5):
        B[t, 3] = 1
