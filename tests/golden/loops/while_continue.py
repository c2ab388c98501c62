# SPDX-License-Identifier: Apache-2.0
"""continue tests the condition again."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def while_continue(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x: T.int32 = A[i]
        odd: T.int32 = 0
        while x > 0:
            x -= 1
            if x % 2 == 0:
                continue
            odd += 1
        O[i] = odd
