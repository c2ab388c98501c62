# SPDX-License-Identifier: Apache-2.0
"""A symbol has a name."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

m = T.dynamic(4)


@T.function
def module_symbol_name(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = m
