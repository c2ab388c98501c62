# SPDX-License-Identifier: Apache-2.0
"""The third launch bound needs the second."""

from tirxcc.script import tirx as T


@T.function
def attribute_needs_other(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=1, block=32),
        kernel_attrs=T.cuda.KernelAttributes(max_blocks_per_cluster=4),
    )
    A[T.cuda.thread_idx("x")] = 1.0
