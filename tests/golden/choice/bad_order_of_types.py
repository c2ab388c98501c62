# SPDX-License-Identifier: Apache-2.0
"""Types have no order."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def order_of_types(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if T.int32 < T.int64:
        A[i] = 1.0
