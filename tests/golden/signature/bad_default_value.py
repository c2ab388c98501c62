# SPDX-License-Identifier: Apache-2.0
"""Defaults of scalars are what a call may give: no fraction for an int, nothing that does not fit."""

from tirxcc.script import tirx as T

HALF = 0.5


@T.function
def defaults(
    A: T.Tensor((64,), T.float32),
    fraction: T.int32 = 1.5,
    named: T.int64 = HALF,
    whole: T.int32 = 2.0,
    flag: T.bool = 0.5,
    two: T.bool = 2,
    small: T.int8 = 300,
    negative: T.uint8 = -1,
    typed: T.int8 = T.int32(300),
    far: T.float32 = 1e300,
    text: T.int32 = "1",
    fine: T.float32 = 1,
    yes: T.bool = True,
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    A[T.cuda.thread_idx("x")] = fine
