# SPDX-License-Identifier: Apache-2.0
"""A return of all threads makes the copy of a loop's body around it the block's; the `continue` in
front of it, which leaves that copy, is then the block's as well."""

from tirxcc.script import tirx as T


@T.function
def some_return(A: T.Tensor((48,), T.int32), B: T.Tensor((48,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=4, block=12))
    b = T.cuda.block_idx("x")
    t = b * 12 + T.cuda.thread_idx("x")
    for k in T.unroll(2):
        A[t] += 1
        if b > 1:
            continue
        T.gpu_thread_return()
    B[t] = T.cuda.__shfl_sync(0xFFFFFFFF, A[t], 0, 32)
