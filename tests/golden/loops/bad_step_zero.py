# SPDX-License-Identifier: Apache-2.0
"""A step of 0."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def step_zero(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in range(0, 4, 0):
        A[i] = 1.0
