# SPDX-License-Identifier: Apache-2.0
"""while True ends by break."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def while_true(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        x: T.int32 = A[i]
        turns: T.int32 = 0
        while True:
            if x <= 0:
                break
            x -= 7
            turns += 1
        O[i] = turns
