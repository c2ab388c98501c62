# SPDX-License-Identifier: Apache-2.0
"""Host code makes no memory yet."""

from tirxcc.script import tirx as T


@T.function
def allocation_on_host(A: T.Tensor((32,), T.float32)):
    r = T.alloc_local((4,), "float32")
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
