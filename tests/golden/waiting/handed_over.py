# SPDX-License-Identifier: Apache-2.0
"""One warp hands its elements to the other through an mbarrier."""

from tirxcc.script import tirx as T


@T.function
def handed_over(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    tile = T.alloc_shared((32,), "float32")
    full = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init(full.ptr_to([0]), 32)
    T.cuda.cta_sync()
    if t < 32:
        tile[t] = A[t]
        T.ptx.mbarrier.arrive(full.ptr_to([0]))
    else:
        T.cuda.mbarrier_wait(full.ptr_to([0]), 0)
        A[t] = tile[t - 32]
