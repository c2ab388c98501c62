# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Memory"."""

from tirxcc.script import tirx as T


@T.function
def shared(A: T.Tensor((256,), T.float32), B: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=4, block=64))
    t = T.cuda.thread_idx("x")
    tile = T.alloc_shared((64,), "float32")
    pair = T.alloc_local((2,), "float32")
    tile[t] = A[T.cuda.block_idx("x") * 64 + t]
    T.cuda.cta_sync()
    for k in T.unroll(2):
        pair[k] = tile[(t + k) % 64]
    B[T.cuda.block_idx("x") * 64 + t] = pair[0] + pair[1]
