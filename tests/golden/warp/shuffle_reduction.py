# SPDX-License-Identifier: Apache-2.0
"""A sum over the lanes of a warp, as every reduction kernel has it."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def warp_sums(A: T.Tensor((n, 32), T.float32), S: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=32))
    row = T.cuda.block_idx("x")
    lane = T.cuda.thread_idx("x")
    total: T.float32 = A[row, lane]
    for step in T.unroll(5):
        total += T.cuda.__shfl_xor_sync(0xFFFFFFFF, total, 16 >> step, 32)
    if lane == 0:
        S[row] = total
