# SPDX-License-Identifier: Apache-2.0
"""Three dimensions of blocks and threads; every index and size is written down."""

from tirxcc.script import tirx as T

d = T.dynamic("d")


@T.function
def three_dimensions(O: T.Tensor((d, 3, 2, 2, 3, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(2, 3, d), block=(4, 3, 2)))
    bx = T.cuda.block_idx("x")
    by = T.cuda.block_idx("y")
    bz = T.cuda.block_idx("z")
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    tz = T.cuda.thread_idx("z")
    size = T.cuda.block_dim("x") * 100 + T.cuda.block_dim("y") * 10 + T.cuda.block_dim("z")
    grid = T.cuda.grid_dim("x") * 100 + T.cuda.grid_dim("y") * 10 + T.cuda.grid_dim("z")
    place = bx + by * 10 + bz * 100 + tx * 1000 + ty * 10000 + tz * 100000
    O[bz, by, bx, tz, ty, tx] = place + size * 1000000 + grid
