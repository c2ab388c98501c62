# SPDX-License-Identifier: Apache-2.0
"""The name of a function is a text."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def global_symbol(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.func_attr({"global_symbol": 3})
    A[i] = 1.0
