# SPDX-License-Identifier: Apache-2.0
"""Bounds of literals that leave nothing to run; bounds of constants may do so rightly."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
EXTRA = 0


@T.function
def loop_never_runs(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for k in range(10, 0):
        A[i] += 1.0
    for k in T.serial(5, 2):
        A[i] += 1.0
    for k in range(0, 8, -2):
        A[i] += 1.0
    for k in T.unroll(8, 0, step=2):
        A[i] += 1.0
    for k in range(0):
        A[i] += 1.0
    for r, c in T.grid(2, 0):
        A[i] += 1.0
    for k in T.unroll(EXTRA):
        A[i] += 1.0
    for k in range(4, 4 + EXTRA):
        A[i] += 1.0
    for r, c in T.grid(2, EXTRA):
        A[i] += 1.0
