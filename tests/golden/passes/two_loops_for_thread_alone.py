# SPDX-License-Identifier: Apache-2.0
# pass: thread_loops
# target: cpu
"""A kernel that asks for its place in the block keeps two loops."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def two_loops_for_thread_alone(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    tx = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 128 + tx
    if i < n:
        B[i] = A[i] * 2.0 + T.float32(tx)
