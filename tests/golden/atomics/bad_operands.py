# SPDX-License-Identifier: Apache-2.0
"""Compare-and-swap has three operands."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    T.cuda.atomic_cas(I.ptr_to([t]), 1)
