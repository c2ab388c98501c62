# SPDX-License-Identifier: Apache-2.0
"""A comprehension that does not end soon."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def comprehension_size(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = [k for k in range(4) for a in range(1000000)]
    A[i] = x[0]
