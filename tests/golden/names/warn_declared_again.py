# SPDX-License-Identifier: Apache-2.0
"""A second declaration of another type is another variable."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def declared_again(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    x: T.float32 = A[i]
    A[i] = x
    x: T.int32 = 2
    A[i] = A[i] + x
