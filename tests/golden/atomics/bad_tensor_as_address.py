# SPDX-License-Identifier: Apache-2.0
"""The tensor itself, and an element of it, where an address is needed."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def tensor_as_address(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.cuda.atomic_add(A, 1.0)
    T.cuda.atomic_add(A[i].ptr_to([0]), 1.0)
