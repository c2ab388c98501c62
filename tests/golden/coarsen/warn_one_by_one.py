# SPDX-License-Identifier: Apache-2.0
# options: --coarsen 4
"""Threads whose work is more than a line of statements take their elements in turn; a note."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def powers(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        for _ in range(8):
            A[i] = A[i] * A[i]
