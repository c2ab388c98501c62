# SPDX-License-Identifier: Apache-2.0
"""The same in a tensor."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def dtype_unknown(A: T.Tensor((n,), "float31"), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = 1.0
