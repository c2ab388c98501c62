# SPDX-License-Identifier: Apache-2.0
"""type is not part of the language."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def type_alias(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    type Real = float
    A[i] = 1.0
