# SPDX-License-Identifier: Apache-2.0
"""Two extents of one id."""

from tirxcc.script import tirx as T


@T.prim_func
def native_extent_twice(A: T.Buffer((64,), "float32")):
    T.device_entry()
    tx = T.thread_id([32])
    ty = T.thread_id([64])
    A[tx] = T.float32(1.0)
