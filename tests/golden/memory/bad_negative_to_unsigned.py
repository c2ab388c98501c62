# SPDX-License-Identifier: Apache-2.0
"""A negative literal for an unsigned element."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def negative_to_unsigned(A: T.Tensor((n,), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = -1
