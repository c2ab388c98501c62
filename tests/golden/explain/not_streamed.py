# SPDX-License-Identifier: Apache-2.0
"""One loop, but the kernel reads what it writes: no store goes past the caches."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def not_streamed(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        A[i] = A[i] + 1.0
