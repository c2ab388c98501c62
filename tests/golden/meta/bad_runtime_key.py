# SPDX-License-Identifier: Apache-2.0
"""A dict is chosen from while compiling."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    weights = {0: 1.0, 1: 2.0}
    A[t] = weights[1] + weights[t]
