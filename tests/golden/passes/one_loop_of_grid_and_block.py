# SPDX-License-Identifier: Apache-2.0
# pass: thread_loops
# target: cpu
"""Named parts of the one number that the kernel asks for: grid and block are one loop."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def one_loop_of_grid_and_block(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    bx = T.cuda.block_idx("x")
    tx = T.cuda.thread_idx("x")
    i = tx + 128 * bx
    if i >= n:
        T.gpu_thread_return()
    B[i] = A[i] * 2.0
