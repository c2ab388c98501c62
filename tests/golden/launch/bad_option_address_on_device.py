# SPDX-License-Identifier: Apache-2.0
"""An address that only the kernel's memory knows."""

from tirxcc.script import tirx as T


@T.function
def option_address_on_device(A: T.Tensor((32,), T.float32)):
    T.device_entry(
        launch=T.cuda.LaunchConfig(
            grid=4,
            block=32,
            stream=A.ptr_to([T.cast(A[0], "int32")]),
        )
    )
    A[T.cuda.thread_idx("x")] = 1.0
