# SPDX-License-Identifier: Apache-2.0
"""Scope ids stand in the kernel."""

from tirxcc.script import tirx as T


@T.prim_func
def native_outside(A: T.Buffer((32,), "float32")):
    tx = T.thread_id([32])
    T.device_entry()
    A[tx] = T.float32(1.0)
