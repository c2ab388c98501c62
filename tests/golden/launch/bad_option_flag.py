# SPDX-License-Identifier: Apache-2.0
"""A flag is True or False."""

from tirxcc.script import tirx as T


@T.function
def option_flag(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            nvlink_util_centric_scheduling="yes",
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
