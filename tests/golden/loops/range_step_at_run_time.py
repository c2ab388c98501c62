# SPDX-License-Identifier: Apache-2.0
"""A step known only at run time: the turns are counted; step 0 makes none."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def range_step_at_run_time(A: T.Tensor((n, 3), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in range(A[i, 0], A[i, 1], A[i, 2]):
            total = total * 3 + k
        O[i] = total
