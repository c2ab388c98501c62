# SPDX-License-Identifier: Apache-2.0
"""More dynamic shared memory asked for than a block has."""

from tirxcc.script import tirx as T


@T.function
def asks_too_much(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256, dynamic_smem_bytes=300000))
    t = T.cuda.thread_idx("x")
    A[t] = 1.0
