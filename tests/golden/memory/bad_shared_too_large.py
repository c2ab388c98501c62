# SPDX-License-Identifier: Apache-2.0
"""A static array beyond what a block of any GPU has."""

from tirxcc.script import tirx as T


@T.function
def too_large(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    tile = T.alloc_shared((1024, 1024), T.float32)
    tile[0, t] = A[t]
    T.cuda.cta_sync()
    A[t] = tile[0, 255 - t]
