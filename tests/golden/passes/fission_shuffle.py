# SPDX-License-Identifier: Apache-2.0
# pass: fission_at_barriers
# target: cpu
"""A shuffle ends a region: lanes put their values down, then read those of others."""

from tirxcc.script import tirx as T


@T.function
def fission_shuffle(A: T.Tensor((64,), T.float32), B: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    v: T.float32 = A[t]
    v += T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 16, 32)
    B[t] = v
