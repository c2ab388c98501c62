# SPDX-License-Identifier: Apache-2.0
"""Extents come in a list."""

from tirxcc.script import tirx as T


@T.prim_func
def native_extent_number(A: T.Buffer((32,), "float32")):
    T.device_entry()
    tx = T.thread_id(32)
    A[tx] = T.float32(1.0)
