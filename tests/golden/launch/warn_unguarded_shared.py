# SPDX-License-Identifier: Apache-2.0
"""A shared array with fewer elements than the block has threads."""

from tirxcc.script import tirx as T


@T.function
def unguarded_shared(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    s = T.alloc_shared((128,), "float32")
    t = T.cuda.thread_idx("x")
    s[t] = A[t]
    T.cuda.cta_sync()
    A[t] = s[t ^ 1]
