# SPDX-License-Identifier: Apache-2.0
# target: cpu
"""Local arrays that no stack holds."""

from tirxcc.script import tirx as T


@T.function
def large_local(A: T.Tensor((256,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    L = T.alloc_local((1 << 20,), "float32")
    L[t] = A[t]
    A[t] = L[t] + 1.0
