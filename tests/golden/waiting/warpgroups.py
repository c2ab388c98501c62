# SPDX-License-Identifier: Apache-2.0
"""Each warpgroup waits at a barrier of its own, so they need not go the same way."""

from tirxcc.script import tirx as T


@T.function
def warpgroups(A: T.Tensor((256,), T.int32), B: T.Tensor((256,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "int32")
    group = t // 128
    for i in range(group + 1):
        S[t] = A[t] + i
        T.cuda.warpgroup_sync(1 + group)
        B[t] = S[t ^ 127]
        T.cuda.warpgroup_sync(1 + group)
