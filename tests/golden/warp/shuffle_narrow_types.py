# SPDX-License-Identifier: Apache-2.0
"""Narrow integers travel as 32 bits and are narrow again afterwards; halves have their own."""

from tirxcc.script import tirx as T


@T.function
def narrow(
    B: T.Tensor((32,), T.int8),
    U: T.Tensor((32,), T.uint16),
    C: T.Tensor((32,), T.bool),
    H: T.Tensor((32,), T.float16),
    G: T.Tensor((32,), T.bfloat16),
    O: T.Tensor((32,), T.int8),
    P: T.Tensor((32,), T.uint16),
    Q: T.Tensor((32,), T.bool),
    R: T.Tensor((32,), T.float16),
    S: T.Tensor((32,), T.bfloat16),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    O[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, B[t], 1, 32)
    P[t] = T.cuda.__shfl_down_sync(0xFFFFFFFF, U[t], 1, 32)
    Q[t] = T.cuda.__shfl_sync(0xFFFFFFFF, C[t], 31 - t, 32)
    R[t] = T.cuda.__shfl_up_sync(0xFFFFFFFF, H[t], 1, 32) + H[t]
    S[t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, G[t], 2, 32)
