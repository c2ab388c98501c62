# SPDX-License-Identifier: Apache-2.0
"""Groups of lanes are powers of two."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    A[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[t], 1, 24)
    A[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[t], 1, 0)
