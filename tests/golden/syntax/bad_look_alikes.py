# SPDX-License-Identifier: Apache-2.0
"""Characters that only look like those of Python."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[0] = A[1] − 1.0
    A[1] = A[2] × 2.0
    if A[0] ≤ 1.0:
        A[3] = 2.0
