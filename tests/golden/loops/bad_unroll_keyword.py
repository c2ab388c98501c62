# SPDX-License-Identifier: Apache-2.0
"""T.unroll is unrolled anyway."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_keyword(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.unroll(4, unroll=2):
        A[i] = 1.0
