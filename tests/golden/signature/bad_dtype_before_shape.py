# SPDX-License-Identifier: Apache-2.0
"""The arguments of T.Tensor the other way round."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def dtype_before_shape(
    A: T.Tensor("float32", (n,)), B: T.Tensor(T.int32, n), C: T.Tensor((n,), T.float32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    local = T.alloc_local(T.float32, (4,))
