# SPDX-License-Identifier: Apache-2.0
"""A fence orders the stores of one thread: for its block, its device, or everybody."""

from tirxcc.script import tirx as T


@T.function
def fences(A: T.Tensor((64,), T.int32), O: T.Tensor((64, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    O[t, 0] = A[t]
    T.cuda.thread_fence_block()
    O[t, 1] = A[t] + 1
    T.cuda.thread_fence()
    O[t, 2] = A[t] + 2
    T.cuda.thread_fence_system()
    O[t, 3] = A[t] + 3
