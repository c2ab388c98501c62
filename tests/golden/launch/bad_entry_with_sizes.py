# SPDX-License-Identifier: Apache-2.0
"""The sizes are those of the launch."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def entry_with_sizes(A: T.Tensor((n,), T.float32)):
    T.device_entry(grid=1, block=256)
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 1.0
