# SPDX-License-Identifier: Apache-2.0
# arch: sm_75
"""Before sm_80 and sm_90 the helpers do without the newer instructions."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def old_arch_helpers(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if T.cuda.elect_sync():
            O[i] = T.max(A[i], 0.0)
        else:
            O[i] = T.min(A[i], 0.0)
