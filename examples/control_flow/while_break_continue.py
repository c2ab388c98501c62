# SPDX-License-Identifier: Apache-2.0
"""break and continue in a while loop: odd decimal digits, from the right, up to the first 0."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def while_break_continue(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        x: T.int32 = A[i]
        odd: T.int32 = 0
        while x > 0:
            digit = x % 10
            x = x // 10
            if digit == 0:
                break
            if digit % 2 == 0:
                continue
            odd += 1
        B[i] = odd
