# SPDX-License-Identifier: Apache-2.0
"""A thread may leave from inside two loops."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def return_in_loop(A: T.Tensor((n, 12), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = -1
        for r in range(3):
            for k in range(4):
                if A[i, r * 4 + k] < 0:
                    O[i] = r * 4 + k
                    T.gpu_thread_return()
