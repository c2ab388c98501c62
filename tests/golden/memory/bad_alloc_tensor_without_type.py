# SPDX-License-Identifier: Apache-2.0
"""T.alloc_tensor says which tensor."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def alloc_tensor_without_type(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    r = T.alloc_tensor((4,))
    r[0] = A[i]
