# SPDX-License-Identifier: Apache-2.0
"""A phase ends when all have arrived and all bytes that it expects have come.

complete_tx orders nothing by itself (it is relaxed), hence the fence between the data and it."""

from tirxcc.script import tirx as T


@T.function
def transactions(A: T.Tensor((4, 64), T.int32), B: T.Tensor((4, 64), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    done = T.alloc_shared((1,), "uint64")
    S = T.alloc_shared((64,), "int32")
    if t == 0:
        T.ptx.mbarrier.init(done.ptr_to([0]), 2)
        T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cta_sync()
    for i in range(4):
        if t == 0:
            T.ptx.mbarrier.arrive.expect_tx(done.ptr_to([0]), 128)
        if t == 33:
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(done.ptr_to([0]), 128)
        S[t] = A[i, t]
        T.cuda.thread_fence_block()
        T.ptx.mbarrier.complete_tx(done.ptr_to([0]), 4)
        T.cuda.mbarrier_wait(done.ptr_to([0]), i % 2)
        B[i, t] = S[63 - t]
        T.cuda.cta_sync()
