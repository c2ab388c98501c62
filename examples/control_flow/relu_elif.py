# SPDX-License-Identifier: Apache-2.0
"""A ReLU with a third branch: small positive values are halved."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def relu_elif(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 1.0:
            B[i] = A[i]
        elif A[i] > 0.0:
            B[i] = A[i] * 0.5
        else:
            B[i] = 0.0
