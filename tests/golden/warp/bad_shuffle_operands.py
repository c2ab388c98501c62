# SPDX-License-Identifier: Apache-2.0
"""A shuffle has four operands."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    A[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[t])
