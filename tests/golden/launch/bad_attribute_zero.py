# SPDX-License-Identifier: Apache-2.0
"""Attributes are positive."""

from tirxcc.script import tirx as T


@T.function
def attribute_zero(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=1, block=32),
        kernel_attrs=T.cuda.KernelAttributes(min_blocks_per_sm=0),
    )
    A[T.cuda.thread_idx("x")] = 1.0
