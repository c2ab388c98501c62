# SPDX-License-Identifier: Apache-2.0
"""A literal that the element cannot hold."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def literal_does_not_fit(A: T.Tensor((n,), T.uint8)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 300
