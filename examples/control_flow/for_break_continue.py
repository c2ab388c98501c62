# SPDX-License-Identifier: Apache-2.0
"""break and continue in a for loop: sums the positive values of a row up to the first zero."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def for_break_continue(A: T.Tensor((n, 32), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for k in range(32):
            if A[i, k] == 0.0:
                break
            if A[i, k] < 0.0:
                continue
            total += A[i, k]
        B[i] = total
