# SPDX-License-Identifier: Apache-2.0
"""Elements of tensors swap as well."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def swap_elements(A: T.Tensor((n, 2), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        A[i, 0], A[i, 1] = A[i, 1], A[i, 0]
