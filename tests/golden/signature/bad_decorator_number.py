# SPDX-License-Identifier: Apache-2.0
"""Only @T.function and @T.prim_func make kernels."""

from tirxcc.script import tirx as T

function = 3


@function
def decorator_number(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
