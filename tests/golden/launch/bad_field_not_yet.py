# SPDX-License-Identifier: Apache-2.0
"""A kernel attribute that is not supported yet."""

from tirxcc.script import tirx as T


@T.function
def field_not_yet(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=1, block=32),
        kernel_attrs=T.cuda.KernelAttributes(required_block_size=True),
    )
    A[T.cuda.thread_idx("x")] = 1.0
