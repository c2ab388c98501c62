# SPDX-License-Identifier: Apache-2.0
"""One to three extents."""

from tirxcc.script import tirx as T


@T.prim_func
def native_four_extents(A: T.Buffer((32,), "float32")):
    T.device_entry()
    a, b, c, d = T.thread_id([2, 2, 2, 4])
    A[a] = T.float32(1.0)
