# SPDX-License-Identifier: Apache-2.0
"""Comments, qualifiers and casts of C."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    // each thread its element
    __shared__ float tile[256]
    A[0] = (float) x
    A[1] = (int) A[2]
