# SPDX-License-Identifier: Apache-2.0
"""An array in static shared memory whose size only the launch knows."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def shared_size_of_the_launch(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    tile = T.alloc_shared((n,), T.float32)
    tile[i] = A[i]
