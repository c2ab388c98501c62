# SPDX-License-Identifier: Apache-2.0
"""A block size that comes from the arguments has no launch bounds."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
b = T.dynamic("b")


@T.function
def symbolic_block(A: T.Tensor((n, b), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=b))
    A[T.cuda.block_idx("x"), T.cuda.thread_idx("x")] += T.cuda.block_dim("x")
