# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""The CPU target does not run warps and atomics yet."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    A[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[t], 1, 32)
    T.cuda.atomic_add(A.ptr_to([0]), 1)
