# SPDX-License-Identifier: Apache-2.0
# options: --coarsen 4
"""One element a thread becomes four: the guard is asked once, the grid has a quarter of the blocks."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def clamp_chain(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] < 0.0:
            B[i] = 0.0
        elif A[i] > 1.0:
            B[i] = 1.0
        else:
            B[i] = A[i]
