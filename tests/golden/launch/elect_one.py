# SPDX-License-Identifier: Apache-2.0
"""One thread of each warp is elected."""

from tirxcc.script import tirx as T


@T.function
def elect_one(O: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    O[t] = 0
    if T.cuda.elect_sync():
        O[t] = 1
