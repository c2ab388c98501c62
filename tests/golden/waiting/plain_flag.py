# SPDX-License-Identifier: Apache-2.0
"""A flag that is only loaded: on a GPU the text would have to say that it may change."""

from tirxcc.script import tirx as T


@T.function
def plain_flag(A: T.Tensor((64,), T.int32), B: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    flag = T.alloc_shared((1,), "int32")
    S = T.alloc_shared((64,), "int32")
    if t == 0:
        flag[0] = 0
    T.cuda.cta_sync()
    S[t] = A[t]
    if t == 63:
        flag[0] = 1
    while flag[0] == 0:
        pass
    T.cuda.warp_sync()
    if t < 32:
        B[t] = S[t ^ 1]
    else:
        B[t] = S[t]
