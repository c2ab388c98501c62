# SPDX-License-Identifier: Apache-2.0
"""Positional patterns come first."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def pattern_order(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    match i:
        case T.P(x=1, 2):
            A[i] = 1.0
