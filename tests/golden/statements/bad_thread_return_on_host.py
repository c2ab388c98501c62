# SPDX-License-Identifier: Apache-2.0
"""Host code has no threads to end."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def thread_return_on_host(A: T.Tensor((n,), T.float32)):
    if n == 0:
        T.gpu_thread_return()
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    A[T.cuda.thread_idx("x")] = 1.0
