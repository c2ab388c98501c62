# SPDX-License-Identifier: Apache-2.0
"""Named barriers: one warp fills two buffers, the other empties them."""

from tirxcc.script import tirx as T


@T.function
def named_barriers(A: T.Tensor((8, 32), T.int32), B: T.Tensor((8, 32), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    lane = t % 32
    S = T.alloc_shared((2, 32), "int32")
    if t < 32:
        for i in range(8):
            if i >= 2:
                T.ptx.bar.sync(3 + i % 2, 64)
            S[i % 2, lane] = A[i, lane] * 2
            T.ptx.bar.arrive(1 + i % 2, 64)
    else:
        for i in range(8):
            T.ptx.bar.sync(1 + i % 2, 64)
            B[i, lane] = S[i % 2, 31 - lane]
            if i < 6:
                T.ptx.bar.arrive(3 + i % 2, 64)
    T.ptx.bar.sync(0)
