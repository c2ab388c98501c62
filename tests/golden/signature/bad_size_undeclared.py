# SPDX-License-Identifier: Apache-2.0
"""A size is declared."""

from tirxcc.script import tirx as T


@T.function
def size_undeclared(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 1.0
