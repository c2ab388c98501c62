# SPDX-License-Identifier: Apache-2.0
"""An mbarrier is a word of 64 bits without a sign."""

from tirxcc.script import tirx as T


@T.function
def k(A: T.Tensor((4,), T.uint64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    S = T.alloc_shared((2,), "int32")
    T.ptx.mbarrier.init(S.ptr_to([0]), 1)
