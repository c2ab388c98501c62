# SPDX-License-Identifier: Apache-2.0
"""A goto never jumps over a declaration: the block that it leaves has braces."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def jump_over_names(A: T.Tensor((n, 3), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in T.unroll(3):
            x = A[i, k]
            if x < 0:
                break
            y = x * 2
            if y > 100:
                continue
            total += y
        O[i] = total
