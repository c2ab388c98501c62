# SPDX-License-Identifier: Apache-2.0
"""A literal written in hexadecimal stays so."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def hexadecimal(A: T.Tensor((n,), T.uint32), O: T.Tensor((n,), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i] & 0xFF00FF ^ 0x10
