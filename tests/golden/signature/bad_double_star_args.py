# SPDX-License-Identifier: Apache-2.0
"""Ordinary parameters only."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def double_star_args(B: T.Tensor((n,), T.float32), **rest):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
