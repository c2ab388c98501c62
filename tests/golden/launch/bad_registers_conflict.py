# SPDX-License-Identifier: Apache-2.0
"""A register limit goes with nothing else."""

from tirxcc.script import tirx as T


@T.function
def registers_conflict(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(grid=1, block=32),
        kernel_attrs=T.cuda.KernelAttributes(min_blocks_per_sm=2, max_registers_per_thread=64),
    )
    A[T.cuda.thread_idx("x")] = 1.0
