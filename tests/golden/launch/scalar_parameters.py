# SPDX-License-Identifier: Apache-2.0
"""Scalars are passed by value, in the order of the source."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def scalar_parameters(
    scale: T.float32, A: T.Tensor((n,), T.float32), shift: T.int64, on: T.bool, small: T.uint8
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    i = T.cuda.block_idx("x") * 64 + T.cuda.thread_idx("x")
    if i < n and on:
        A[i] = A[i] * scale + shift + small
