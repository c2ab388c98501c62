# SPDX-License-Identifier: Apache-2.0
"""T.counted gives one index."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def counted_targets(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for a, b in T.counted(0, 1, T.uint32(4)):
        A[i] = 1.0
