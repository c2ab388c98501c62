# SPDX-License-Identifier: Apache-2.0
"""The window begins at an address, not at a tensor."""

from tirxcc.script import tirx as T


@T.function
def option_tensor(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            access_policy_window=T.cuda.AccessPolicyWindow(base_ptr=A, num_bytes=128),
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
