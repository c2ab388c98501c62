# SPDX-License-Identifier: Apache-2.0
"""A function with fixed parameters takes them one by one."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def unpacked_arguments(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    both = (B[i], "float32")
    A[i] = T.cast(*both)
