# SPDX-License-Identifier: Apache-2.0
"""What a name becomes that begins as 0 and sums up; what is computed while compiling."""

from tirxcc.script import tirx as T

SCALES = [0.5, 1.5]


@T.function
def kernel(A: T.Tensor((64, 4), T.float32), B: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    s = 0
    for k in range(4):
        s += A[t, k]
    count = 0
    count += 1
    weights = [2.0 * w for w in SCALES]
    pick = lambda k: weights[k % len(weights)]
    rows, columns = A.shape
    for k in T.unroll(columns):
        s += pick(k) * A[t, k]
    B[t] = s + count + len(A)
