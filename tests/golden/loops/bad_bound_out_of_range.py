# SPDX-License-Identifier: Apache-2.0
"""A bound fits the type of the loop."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def bound_out_of_range(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in T.serial(5000000000, dtype="int32"):
        A[i] = 1.0
