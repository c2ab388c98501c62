# SPDX-License-Identifier: Apache-2.0
"""What only a kernel can say."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

size = T.cuda.LaunchConfig(grid=1, block=1)


@T.function
def module_launch(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    A[i] = size
