# SPDX-License-Identifier: Apache-2.0
"""& binds tighter than a comparison."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def and_of_comparisons(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if A[i] > 0.0 & A[i] < 1.0:
        A[i] = 1.0
