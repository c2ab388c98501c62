# SPDX-License-Identifier: Apache-2.0
"""Launch bounds need a block size that is known."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def min_blocks_symbolic(A: T.Tensor((n,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=1, block=n),
        kernel_attrs=T.cuda.KernelAttributes(min_blocks_per_sm=2),
    )
    A[T.cuda.thread_idx("x")] = 1.0
