# SPDX-License-Identifier: Apache-2.0
# pass: fission_at_barriers
# target: cpu
"""What a thread keeps across barriers has an element for each thread."""

from tirxcc.script import tirx as T


@T.function
def fission_keeps_sums(A: T.Tensor((16, 64), T.float32), B: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((64,), "float32")
    last = T.alloc_local((2,), "float32")
    total: T.float32 = 0.0
    first = A[0, t]
    for k in range(16):
        S[t] = A[k, t]
        T.cuda.cta_sync()
        total += S[63 - t]
        last[k & 1] = S[t ^ 1]
        T.cuda.cta_sync()
    B[t] = total + first + last[0]
