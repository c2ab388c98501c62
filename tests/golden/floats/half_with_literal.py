# SPDX-License-Identifier: Apache-2.0
"""An int literal keeps half precision, a float literal computes in float32."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def half_with_literal(A: T.Tensor((n,), T.float16), O: T.Tensor((n, 2), T.float16)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = A[i] * 2 + 1
        O[i, 1] = A[i] * 2.5 + 1.0
