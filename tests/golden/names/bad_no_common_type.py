# SPDX-License-Identifier: Apache-2.0
"""A pointer and a number have no common type."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def no_common_type(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    p = A.ptr_to([0])
    for k in range(2):
        p = 1.0
    A[i] = 1.0
