# SPDX-License-Identifier: Apache-2.0
"""A parameter that is known while compiling: there are none."""

from tirxcc.script import tirx as T


@T.function
def scaled(A: T.Tensor((64,), T.float32), SCALE: T.constexpr):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] *= SCALE
