# SPDX-License-Identifier: Apache-2.0
"""The place in a list is known while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def list_index(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    table = [1.0, 2.0]
    A[i] = table[i]
