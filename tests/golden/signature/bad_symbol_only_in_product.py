# SPDX-License-Identifier: Apache-2.0
"""A product of symbols determines neither."""

from tirxcc.script import tirx as T

n = T.dynamic("n")
p = T.dynamic("p")
q = T.dynamic("q")


@T.function
def symbol_only_in_product(A: T.Tensor((p * q,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    B[0] = A[p]
