# SPDX-License-Identifier: Apache-2.0
"""`break` and `continue` that all threads take together, around barriers."""

from tirxcc.script import tirx as T


@T.function
def break_loop(
    A: T.Tensor((64, 20), T.int32), B: T.Tensor((64,), T.int32), C: T.Tensor((20,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((64,), T.int32)
    total: T.int32 = 0
    for k in range(20):
        if C[k] < 0:
            break
        if C[k] == 7:
            continue
        S[t] = A[t, k]
        T.cuda.cta_sync()
        total += S[63 - t] * 3 + k
        T.cuda.cta_sync()
    B[t] = total
