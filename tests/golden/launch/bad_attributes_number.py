# SPDX-License-Identifier: Apache-2.0
"""kernel_attrs= takes KernelAttributes."""

from tirxcc.script import tirx as T


@T.function
def attributes_number(A: T.Tensor((32,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32), kernel_attrs=2)
    A[T.cuda.thread_idx("x")] = 1.0
