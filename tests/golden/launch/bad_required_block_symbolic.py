# SPDX-License-Identifier: Apache-2.0
"""A size that stands in the machine code cannot come with the call."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def required_block_symbolic(A: T.Tensor((n,), T.float32), blocks: T.int32):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=8, block=n, cluster=(2, blocks)),
        kernel_attrs=T.cuda.KernelAttributes(required_block_size=True),
    )
    A[T.cuda.thread_idx("x")] = 1.0
