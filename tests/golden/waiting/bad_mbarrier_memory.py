# SPDX-License-Identifier: Apache-2.0
"""An mbarrier is in shared memory."""

from tirxcc.script import tirx as T


@T.function
def k(A: T.Tensor((4,), T.uint64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    T.ptx.mbarrier.init(A.ptr_to([0]), 1)
