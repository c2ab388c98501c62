# SPDX-License-Identifier: Apache-2.0
"""Arrays of the block whose sizes the launch decides share one arena; a constant one is before."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def dynamic_shared(
    A: T.Tensor((n, m), T.int32), B: T.Tensor((n, m), T.int32), S: T.Tensor((n,), T.int64)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=64))
    row = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    values = T.alloc_shared((m,), "int32", scope="shared.dyn")
    pairs = T.alloc_shared((m + 1, 2), "int16", scope="shared.dyn")
    sums = T.alloc_shared((64,), "int64", scope="shared.dyn")
    sums[t] = 0
    for i in range(t, m, 64):
        values[i] = A[row, i]
        pairs[i, 0] = T.int16(i)
        pairs[i + 1, 1] = T.int16(-i)
        sums[t] += A[row, i]
    T.cuda.cta_sync()
    for i in range(t, m, 64):
        B[row, i] = values[m - 1 - i] + pairs[i, 0] + pairs[i + 1, 1]
    if t == 0:
        total: T.int64 = 0
        for i in range(64):
            total += sums[i]
        S[row] = total
