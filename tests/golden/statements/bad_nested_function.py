# SPDX-License-Identifier: Apache-2.0
"""A function in a kernel is not supported yet."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def nested_function(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    def twice(x):
        return x + x
    A[i] = twice(A[i])
