# SPDX-License-Identifier: Apache-2.0
"""ReLU without a branch on the data. T.max hands on a NaN, as numpy.maximum does."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def relu_branch_free(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = T.max(A[i], 0.0)
