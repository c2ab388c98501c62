# SPDX-License-Identifier: Apache-2.0
"""An element's address is one argument; there is no atomic product."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def k(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    T.cuda.atomic_add(B, 0, 1.0)
    T.cuda.atomic_add(B[i], 1.0)
    T.cuda.atomic_mul(B.ptr_to([0]), 1.0)
