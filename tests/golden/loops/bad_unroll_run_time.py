# SPDX-License-Identifier: Apache-2.0
"""The extent of T.unroll is known while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unroll_run_time(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.unroll(n):
        A[i] = 1.0
