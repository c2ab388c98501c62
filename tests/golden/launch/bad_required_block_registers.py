# SPDX-License-Identifier: Apache-2.0
"""A register limit goes with nothing else, not with sizes in the machine code either."""

from tirxcc.script import tirx as T


@T.function
def required_block_registers(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=4, block=32, cluster=2),
        kernel_attrs=T.cuda.KernelAttributes(max_registers_per_thread=64, required_block_size=True),
    )
    A[T.cuda.thread_idx("x")] = 1.0
