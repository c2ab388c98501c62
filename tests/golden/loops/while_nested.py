# SPDX-License-Identifier: Apache-2.0
"""break leaves the inner while only."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def while_nested(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x: T.int32 = A[i]
        total: T.int32 = 0
        while x > 0:
            y: T.int32 = x
            while y > 0:
                if y % 3 == 0:
                    break
                y -= 1
                total += 1
            x -= 4
        O[i] = total
