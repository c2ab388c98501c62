# SPDX-License-Identifier: Apache-2.0
"""A size that stands in the machine code: also that of the cluster."""

from tirxcc.script import tirx as T


@T.function
def required_block_no_cluster(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=1, block=32),
        kernel_attrs=T.cuda.KernelAttributes(required_block_size=True),
    )
    A[T.cuda.thread_idx("x")] = 1.0
