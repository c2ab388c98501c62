# SPDX-License-Identifier: Apache-2.0
"""Names for shared memory elsewhere."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def k(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    tile = T.cuda.shared_array((32,), "float32")
    B[i] = tile[0]
