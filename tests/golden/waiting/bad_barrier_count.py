# SPDX-License-Identifier: Apache-2.0
"""bar.sync takes the barrier and, if not all threads come, how many do."""

from tirxcc.script import tirx as T


@T.function
def k(A: T.Tensor((4,), T.uint64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    T.ptx.bar.sync(1, 32, 0)
