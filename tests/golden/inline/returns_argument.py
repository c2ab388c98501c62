# SPDX-License-Identifier: Apache-2.0
"""An argument that the function changes and returns, assigned to itself: nothing to do."""

from tirxcc.script import tirx as T


@T.inline
def warp_sum(v):
    for k in T.unroll(5):
        v += T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 16 >> k)
    return v


@T.function
def kernel(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    v = A[t]
    v = warp_sum(v)
    A[t] = v + T.cuda.__shfl_down_sync(0xFFFFFFFF, v, 1)
