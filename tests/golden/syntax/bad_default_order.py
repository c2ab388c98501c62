# SPDX-License-Identifier: Apache-2.0
"""A parameter without a default after one with a default."""

from tirxcc.script import tirx as T


@T.function
def default_order(a: T.int32 = 1, b: T.int32, B: T.Tensor((4,), T.float32) = None):
    B[0] = 1.0
