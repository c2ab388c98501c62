# SPDX-License-Identifier: Apache-2.0
# pass: thread_loops
# target: cpu
"""Behind a return whose condition is the thread's place, only some warps go on."""

from tirxcc.script import tirx as T


@T.function
def warps_that_return(A: T.Tensor((256,), T.int32), B: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "int32")
    S[t] = A[t] * 2
    T.cuda.cta_sync()
    if t // 32 >= 2:
        T.gpu_thread_return()
    B[t] = T.cuda.__shfl_up_sync(0xFFFFFFFF, S[t], 1, 32) + S[t + 64]
