# SPDX-License-Identifier: Apache-2.0
"""A kernel cannot allocate a scalar in global memory."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    x = T.alloc_scalar("float32", "global")
    A[0] = x
