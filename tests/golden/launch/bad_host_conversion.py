# SPDX-License-Identifier: Apache-2.0
"""Host code computes with integers."""

from tirxcc.script import tirx as T


@T.function
def host_conversion(A: T.Tensor((64,), T.float32), scale: T.float32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.int32(scale), block=64))
    A[T.cuda.thread_idx("x")] = scale
