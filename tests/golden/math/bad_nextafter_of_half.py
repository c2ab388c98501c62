# SPDX-License-Identifier: Apache-2.0
"""Halves have no nextafter."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def nextafter_of_half(A: T.Tensor((n,), T.float16), B: T.Tensor((n,), T.float16)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = T.nextafter(A[i], B[i])
