# SPDX-License-Identifier: Apache-2.0
"""A word that is misspelt."""

from tirxcc.script import tirx as T


@T.function
def option_unknown_word(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            cluster_scheduling_policy="load_balance",
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
