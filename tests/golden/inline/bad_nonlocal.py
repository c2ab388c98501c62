# SPDX-License-Identifier: Apache-2.0
"""'nonlocal' of a name that the kernel does not assign."""

from tirxcc.script import tirx as T

outside = 3


@T.function
def kernel(A: T.Tensor((64,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))

    def change(x):
        nonlocal outside
        outside = x

    change(2)
    A[T.cuda.thread_idx("x")] = 1
