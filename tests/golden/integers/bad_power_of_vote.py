# SPDX-License-Identifier: Apache-2.0
"""The base of a power is evaluated once."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def power_of_vote(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = T.int32(T.cuda.elect_sync()) ** 2
