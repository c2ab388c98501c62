# SPDX-License-Identifier: Apache-2.0
"""T.leave leaves a block around it."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def printed_leave(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.leave("k_end")
    A[i] = 1.0
