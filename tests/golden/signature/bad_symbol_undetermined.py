# SPDX-License-Identifier: Apache-2.0
"""Nothing determines a symbol."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
m = T.dynamic("m")


@T.function
def symbol_undetermined(B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    if m > 3:
        B[0] = 1.0
