# SPDX-License-Identifier: Apache-2.0
# pass: thread_loops
# target: cpu
"""Grid and block become loops."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def thread_loops_one_dimension(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        B[i] = A[i] * 2.0
