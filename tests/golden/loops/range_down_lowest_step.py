# SPDX-License-Identifier: Apache-2.0
"""The lowest step has no counterpart that could be subtracted."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def range_down_lowest_step(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in range(0, -2147483647, -2147483648):
        A[i] = A[i] + 1.0
    for k in range(9, 0, -4):
        A[i] = A[i] * 2.0
