# SPDX-License-Identifier: Apache-2.0
# options: --coarsen 2
"""A return in front is a guard; doubles go by two."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def axpy(X: T.Tensor((n,), T.float64), Y: T.Tensor((n,), T.float64), a: T.float64):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    tx = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 128 + tx
    if i >= n:
        T.gpu_thread_return()
    x = X[i] * a
    Y[i] = Y[i] + x
