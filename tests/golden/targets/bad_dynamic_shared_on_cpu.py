# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""Shared memory whose size only the launch knows is for GPUs."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def k(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    tile = T.alloc_shared((n,), "float32", scope="shared.dyn")
    tile[i] = A[i]
    B[i] = tile[i]
