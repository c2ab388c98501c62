# SPDX-License-Identifier: Apache-2.0
"""The middle of a chain is written once and read twice."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def chained_vote(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if 0 < T.cuda.elect_sync() < 2:
        A[i] = 1
