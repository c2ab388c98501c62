# SPDX-License-Identifier: Apache-2.0
"""Arrays of no elements."""

from tirxcc.script import tirx as T

NONE = 0


@T.function
def kernel(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    a = T.alloc_local((0,), "float32")
    b = T.alloc_shared((16, NONE), "float32")
    c: T.float32[0]
    A[T.cuda.thread_idx("x")] = 1.0
