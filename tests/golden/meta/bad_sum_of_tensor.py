# SPDX-License-Identifier: Apache-2.0
"""The elements of a tensor are added by a loop."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def k(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    B[i] = sum(A)
