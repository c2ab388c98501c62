# SPDX-License-Identifier: Apache-2.0
# pass: streaming_stores
# target: cpu
"""B is written from end to end and never read: the pass notes it and leaves the body alone."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def streamed_tensor(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = T.max(A[i], 0.0)
