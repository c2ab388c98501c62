# SPDX-License-Identifier: Apache-2.0
"""T.serial has a start and a step."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def serial_start_and_step(O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        total: T.int32 = 0
        for k in T.serial(2, 11, step=3):
            total = total * 10 + k
        O[i] = total
