# SPDX-License-Identifier: Apache-2.0
"""A break of an inner loop does not concern the copies."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def loop_in_unroll_break(A: T.Tensor((n, 12), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        count: T.int32 = 0
        for r in T.unroll(3):
            for k in range(4):
                if A[i, r * 4 + k] < 0:
                    break
                count += 1
        O[i] = count
