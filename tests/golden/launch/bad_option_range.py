# SPDX-License-Identifier: Apache-2.0
"""A percentage beyond 100."""

from tirxcc.script import tirx as T


@T.function
def option_range(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            preferred_shared_memory_carveout=101,
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
