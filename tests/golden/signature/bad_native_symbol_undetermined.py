# SPDX-License-Identifier: Apache-2.0
"""A symbol that no shape holds."""

from tirxcc.script import tirx as T


@T.prim_func
def native_symbol_undetermined(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (32,), "float32")
    T.device_entry()
    tx = T.thread_id([n])
    A[tx] = T.float32(1.0)
