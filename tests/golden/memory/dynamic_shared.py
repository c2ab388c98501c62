# SPDX-License-Identifier: Apache-2.0
"""All arrays of dynamic shared memory lie in one arena; the host computes its size."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def dynamic(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    row = T.alloc_shared((n,), "float32", scope="shared.dyn")
    flags = T.alloc_shared((100,), "uint8", scope="shared.dyn")
    sums = T.alloc_shared((8, 32), "float64", scope="shared.dyn", align=128)
    for i in range(t, n, 256):
        row[i] = A[i]
    if t < 100:
        flags[t] = T.uint8(t)
    sums[t // 32, t % 32] = 0.0
    T.cuda.cta_sync()
    for i in range(t, n, 256):
        B[i] = row[n - 1 - i] + T.float32(sums[0, 0]) + T.float32(flags[i % 100])
