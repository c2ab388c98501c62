# SPDX-License-Identifier: Apache-2.0
"""One size of clusters stands in the machine code: there is nothing to prefer."""

from tirxcc.script import tirx as T


@T.function
def required_block_preferred(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=4, block=32, cluster=2, preferred_cluster=4),
        kernel_attrs=T.cuda.KernelAttributes(required_block_size=True),
    )
    A[T.cuda.thread_idx("x")] = 1.0
