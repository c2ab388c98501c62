# SPDX-License-Identifier: Apache-2.0
"""The map is a structure."""

from tirxcc.script import tirx as T


@T.function
def option_not_a_structure(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            mem_sync_domain_map=(0, 1),
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
