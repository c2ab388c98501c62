# SPDX-License-Identifier: Apache-2.0
"""Casts of literals are done while compiling."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def known_casts(A: T.Tensor((n,), T.int32), O: T.Tensor((n, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i, 0] = T.int32(2.9) + T.int32("5")
        O[i, 1] = T.cast(300, "uint8") if False else T.int32(T.uint8(255))
        O[i, 2] = T.int32(T.int8(-1)) + T.int32(True)
        O[i, 3] = T.int32(T.float16(2049))
