# SPDX-License-Identifier: Apache-2.0
"""The bound is evaluated once: changing it in the body changes nothing."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bound_is_copied(O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        m: T.int32 = 4
        turns: T.int32 = 0
        for k in range(m):
            m += 10
            turns += 1
        O[i] = turns * 100 + m
