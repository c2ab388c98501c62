# SPDX-License-Identifier: Apache-2.0
"""A loop assigns to names."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def loop_over_into_literal(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for 3 in range(4):
        A[i] = 1.0
