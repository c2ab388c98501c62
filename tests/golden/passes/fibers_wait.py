# SPDX-License-Identifier: Apache-2.0
# pass: with_fibers
# target: cpu
"""What threads do together gets a number, and a loop that waits lets others run."""

from tirxcc.script import tirx as T


@T.function
def k(A: T.Tensor((64,), T.int32), F: T.Tensor((2,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=64))
    b = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    if t == 0:
        T.cuda.atomic_exch(F.ptr_to([b]), 1)
        while F[1 - b] == 0:
            pass
    T.cuda.cta_sync()
    A[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, A[t], 1, 32)
