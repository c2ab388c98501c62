# SPDX-License-Identifier: Apache-2.0
"""The cluster that is surely there comes first."""

from tirxcc.script import tirx as T


@T.function
def preferred_cluster_alone(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            preferred_cluster=4,
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
