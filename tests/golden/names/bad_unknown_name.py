# SPDX-License-Identifier: Apache-2.0
"""A name that is not defined; the nearest is named."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unknown_name(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    factor = 2.0
    A[i] = A[i] * factr
