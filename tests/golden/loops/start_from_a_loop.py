# SPDX-License-Identifier: Apache-2.0
"""A loop begins where another loop's last value says, which here is always behind its end."""

from tirxcc.script import tirx as T


@T.function
def start_from_a_loop(
    A: T.Tensor((8, 8), T.int16),
    B: T.Tensor((8,), T.int32),
    U: T.Tensor((8,), T.uint16),
    F: T.Tensor((8, 8), T.float32),
    m: T.int32,
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    if t >= m:
        T.gpu_thread_return()
    first: T.uint16 = 10
    for k in range(8):
        for v in T.vectorized(2):
            first |= U[t]
            if A[v, t] > 0:
                B[t] = 1
    for i in range(first, 8, 5):
        F[i & 7, t] = 1.0
