# SPDX-License-Identifier: Apache-2.0
"""Constants of the file are captured."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

SCALE = 2.5
OFFSETS = (1.0, SCALE * 2)


@T.function
def module_constant(A: T.Tensor((n,), T.float32), O: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        O[i] = A[i] * SCALE + OFFSETS[1]
