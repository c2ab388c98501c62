# SPDX-License-Identifier: Apache-2.0
"""A pattern binds to a real name."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def pattern_wildcard(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    match i:
        case 1 as _:
            A[i] = 1.0
