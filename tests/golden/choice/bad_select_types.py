# SPDX-License-Identifier: Apache-2.0
"""T.Select wants two values of one type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def select_types(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = T.Select(A[i] > 0.0, A[i], i)
