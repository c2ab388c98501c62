# SPDX-License-Identifier: Apache-2.0
"""A part that the structure does not have."""

from tirxcc.script import tirx as T


@T.function
def option_unknown_part(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            mem_sync_domain_map=T.cuda.MemSyncDomainMap(deflaut=0),
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
