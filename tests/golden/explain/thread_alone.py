# SPDX-License-Identifier: Apache-2.0
"""A kernel that asks for its place in the block has two loops; its guard stays: more follows."""

from tirxcc.script import tirx as T


@T.function
def thread_alone(A: T.Tensor((1024,), T.float32), B: T.Tensor((1024,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=8, block=128))
    t = T.cuda.thread_idx("x")
    i = T.cuda.block_idx("x") * 128 + t
    if t < 64:
        A[i] = 0.0
    B[i] = A[i]
