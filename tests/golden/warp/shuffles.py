# SPDX-License-Identifier: Apache-2.0
"""The four shuffles, in groups of a whole warp and less; each type goes by CUDA's own function."""

from tirxcc.script import tirx as T

FULL = 0xFFFFFFFF


@T.function
def shuffles(
    F: T.Tensor((32,), T.float32),
    D: T.Tensor((32,), T.float64),
    L: T.Tensor((32,), T.int64),
    U: T.Tensor((32,), T.uint32),
    O: T.Tensor((32, 4), T.float32),
    P: T.Tensor((32, 2), T.float64),
    Q: T.Tensor((32,), T.int64),
    R: T.Tensor((32,), T.uint32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    O[t, 0] = T.cuda.__shfl_sync(FULL, F[t], 5, 32)
    O[t, 1] = T.cuda.__shfl_up_sync(FULL, F[t], 1, 16)
    O[t, 2] = T.cuda.__shfl_down_sync(FULL, F[t], 2, 8)
    O[t, 3] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, F[t], 3, 32)
    P[t, 0] = T.cuda.__shfl_sync(FULL, D[t], (t + 1) % 32, 32)
    P[t, 1] = T.cuda.__shfl_xor_sync(FULL, D[t], 16, 32)
    Q[t] = T.cuda.__shfl_xor_sync(FULL, L[t], 1, 2)
    R[t] = T.cuda.__shfl_down_sync(FULL, U[t], 1, 32) - U[t]
