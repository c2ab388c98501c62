# SPDX-License-Identifier: Apache-2.0
# pass: guards_to_bounds
# target: cpu
"""So is an exit at the top."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def early_exit_becomes_bound(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    B[i] = A[i] * 2.0
