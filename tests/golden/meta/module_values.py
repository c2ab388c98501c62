# SPDX-License-Identifier: Apache-2.0
"""What the module level may hold: numbers, types, tuples, other names."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

DTYPE = T.float32
SCALES = [0.5, 1.5, 2.5]
LAST = len(SCALES) - 1
(FIRST, OFFSET) = (0, -SCALES[1])


@T.function
def module_values(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        value = DTYPE(A[i]) * DTYPE(SCALES[LAST])
        O[i] = value + OFFSET
