# SPDX-License-Identifier: Apache-2.0
"""A parameter lies in global memory."""

from tirxcc.script import tirx as T


@T.function
def shared_parameter(A: T.Tensor((32,), T.float32, scope="shared")):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    A[T.cuda.thread_idx("x")] = 1.0
