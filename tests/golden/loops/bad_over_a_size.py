# SPDX-License-Identifier: Apache-2.0
"""A size, and a number of the kernel, in place of their range."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def over_a_size(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in n:
        A[i] = 1.0
    for k in i:
        A[i] = 1.0
