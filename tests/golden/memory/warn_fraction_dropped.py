# SPDX-License-Identifier: Apache-2.0
"""A literal with a fraction stored in an integer."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def fraction_dropped(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = 2.7
