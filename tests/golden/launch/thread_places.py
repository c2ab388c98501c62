# SPDX-License-Identifier: Apache-2.0
"""The derived ids of a thread: lane, warp, and its number in the block."""

from tirxcc.script import tirx as T


@T.function
def thread_places(O: T.Tensor((4, 64, 3), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(64, 4)))
    x = T.cuda.thread_idx("x")
    y = T.cuda.thread_idx("y")
    O[y, x, 0] = T.cuda.lane_id()
    O[y, x, 1] = T.cuda.warp_id()
    O[y, x, 2] = T.cuda.linear_thread_id()
