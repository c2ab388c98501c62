# SPDX-License-Identifier: Apache-2.0
"""Constants that do not fit their type wrap."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def constant_overflow(A: T.Tensor((n,), T.int32), B: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = T.int32(2147483647) + T.int32(1)
