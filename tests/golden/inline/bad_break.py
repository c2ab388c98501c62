# SPDX-License-Identifier: Apache-2.0
"""A break belongs to a loop of the function itself."""

from tirxcc.script import tirx as T


@T.inline
def stop(x):
    if x > 0.0:
        break


@T.function
def kernel(A: T.Tensor((32,), T.float32), I: T.Tensor((32,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    t = T.cuda.thread_idx("x")
    for k in range(4):
        stop(A[k])
