# SPDX-License-Identifier: Apache-2.0
"""Sums of rows of 64 numbers, at the speed of memory.

Sixteen lanes share a row: each reads four neighbouring elements by one wide load, so that the lanes
of a warp read two rows without a gap, and four shuffles add the sixteen parts. A thread takes part
in four rows, whose loads are all under way before the first is used.

Rows beyond the end are read as the last row and not stored: all lanes of a warp must be there for a
shuffle, so no thread may leave early.
"""

from tirxcc.script import tirx as T

m = T.dynamic("m")
FULL = 0xFFFFFFFF


@T.function
def fast_row_sum(X: T.Tensor((m, 64), T.float32), Y: T.Tensor((m,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(m, 64), block=256))
    lane = T.cuda.thread_idx("x") % 16
    row = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x") // 16
    part = T.alloc_local((4, 4), "float32")
    for r in T.unroll(4):
        source = T.min(row + 16 * r, m - 1)
        for k in T.vectorized(4):
            part[r, k] = X[source, lane * 4 + k]
    for r in T.unroll(4):
        total: T.float32 = (part[r, 0] + part[r, 1]) + (part[r, 2] + part[r, 3])
        for step in T.unroll(4):
            total += T.cuda.__shfl_xor_sync(FULL, total, 8 >> step, 16)
        if lane == 0 and row + 16 * r < m:
            Y[row + 16 * r] = total
