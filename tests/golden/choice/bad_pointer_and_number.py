# SPDX-License-Identifier: Apache-2.0
"""A pointer and a number have no common type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def pointer_and_number(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = A.ptr_to([0]) if B[i] > 0.0 else 1.0
