# SPDX-License-Identifier: Apache-2.0
"""T.serial with unroll= asks the CUDA compiler."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def serial_pragmas(A: T.Tensor((n, 8), T.float32), O: T.Tensor((n, 3), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        for c in T.unroll(3):
            O[i, c] = 0.0
        for k in T.serial(8, unroll=True):
            O[i, 0] += A[i, k]
        for k in T.serial(8, unroll=4):
            O[i, 1] += A[i, k]
        for k in T.serial(8, unroll=False):
            O[i, 2] += A[i, k]
