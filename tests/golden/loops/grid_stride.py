# SPDX-License-Identifier: Apache-2.0
"""A size of an argument is known to leave room for a step: the loop is the plain one. A scalar
parameter may be anything, and its turns are counted."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def grid_stride(A: T.Tensor((n,), T.float32), m: T.int32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=64, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    for j in range(i, n, 64 * 256):
        A[j] = A[j] + 1.0
    for j in range(i, m, 64 * 256):
        A[j] = A[j] * 2.0
