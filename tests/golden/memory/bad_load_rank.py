# SPDX-License-Identifier: Apache-2.0
"""Too many indices in a read."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def load_rank(A: T.Tensor((n, 4), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i] = B[i, 0]
