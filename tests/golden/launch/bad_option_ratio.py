# SPDX-License-Identifier: Apache-2.0
"""A share of the window is at most all of it."""

from tirxcc.script import tirx as T


@T.function
def option_ratio(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            access_policy_window=T.cuda.AccessPolicyWindow(
                base_ptr=A.data, num_bytes=128, hit_ratio=1.5
            ),
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
