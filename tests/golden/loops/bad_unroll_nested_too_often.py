# SPDX-License-Identifier: Apache-2.0
"""The copies of nested loops multiply."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_nested_too_often(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.unroll(10000):
        for m in T.unroll(1000):
            A[i] = 1.0
