# SPDX-License-Identifier: Apache-2.0
"""T.gpu_thread_return() is a statement."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def thread_return_as_value(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x = T.gpu_thread_return()
    A[i] = 1.0
