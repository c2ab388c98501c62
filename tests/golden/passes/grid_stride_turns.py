# SPDX-License-Identifier: Apache-2.0
# pass: grid_stride_loops
# target: cpu
"""All threads take a turn before any takes its next; what each keeps is in an array."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_stride_turns(A: T.Tensor((n,), T.float32), B: T.Tensor((2, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=64))
    t = T.cuda.thread_idx("x")
    block = T.cuda.block_idx("x")
    total: T.float32 = 0.0
    i: T.int32 = block * 64 + t
    while i < n:
        total += A[i]
        i += 128
    B[block, t] = total
