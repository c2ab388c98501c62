# SPDX-License-Identifier: Apache-2.0
"""A count starts at an integer."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def counted_start(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for a in T.counted(A[i], 1, T.uint32(4)):
        A[i] = 1.0
