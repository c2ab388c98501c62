# SPDX-License-Identifier: Apache-2.0
"""A loop variable is int32 or uint32."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def loop_dtype(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.serial(4, dtype="int8"):
        A[i] = 1.0
