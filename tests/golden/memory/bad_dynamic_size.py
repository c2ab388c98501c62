# SPDX-License-Identifier: Apache-2.0
"""The host must know how much shared memory a launch needs."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    row = T.alloc_shared((t + 1,), "float32", scope="shared.dyn")
    row[0] = A[t]
