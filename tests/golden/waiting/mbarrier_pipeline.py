# SPDX-License-Identifier: Apache-2.0
"""Two mbarriers for each buffer of a pipeline, whose phases alternate."""

from tirxcc.script import tirx as T


@T.function
def mbarrier_pipeline(A: T.Tensor((10, 64), T.float32), B: T.Tensor((10, 64), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
    t = T.cuda.thread_idx("x")
    full = T.alloc_shared((2,), "uint64")
    empty = T.alloc_shared((2,), "uint64")
    S = T.alloc_shared((2, 64), "float32")
    if t == 0:
        for k in T.unroll(2):
            T.ptx.mbarrier.init(full.ptr_to([k]), 64)
            T.ptx.mbarrier.init.shared.b64(empty.ptr_to([k]), 64)
        T.ptx.fence.mbarrier_init()
    T.cuda.cta_sync()
    if t < 64:
        for i in range(10):
            T.cuda.mbarrier_wait(empty.ptr_to([i % 2]), (i // 2 + 1) % 2)
            S[i % 2, t] = A[i, t]
            T.ptx.mbarrier.arrive(full.ptr_to([i % 2]))
    else:
        for i in range(10):
            T.ptx.mbarrier.try_wait(full.ptr_to([i % 2]), i // 2 % 2)
            B[i, t - 64] = S[i % 2, 127 - t] + 1.0
            T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([i % 2]), 1)
    T.cuda.cta_sync()
    if t == 0:
        for k in T.unroll(2):
            T.ptx.mbarrier.inval(full.ptr_to([k]))
            T.ptx.mbarrier.inval(empty.ptr_to([k]))
