# SPDX-License-Identifier: Apache-2.0
"""A turn that goes on early does not assign."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def assigned_after_continue(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in range(4):
        if A[k] > 0.0:
            continue
        x = A[k]
    A[i] = x
