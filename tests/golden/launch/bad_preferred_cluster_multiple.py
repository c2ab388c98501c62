# SPDX-License-Identifier: Apache-2.0
"""Not a multiple of the cluster."""

from tirxcc.script import tirx as T


@T.function
def preferred_cluster_multiple(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            cluster=2,
            preferred_cluster=3,
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
