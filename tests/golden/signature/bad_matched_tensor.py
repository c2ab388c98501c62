# SPDX-License-Identifier: Apache-2.0
"""match_buffer takes a handle."""

from tirxcc.script import tirx as T


@T.prim_func
def matched_tensor(a: T.Buffer((32,), "float32")):
    A = T.match_buffer(a, (32,), "float32")
    T.device_entry()
    tx = T.thread_id([32])
    A[tx] = T.float32(1.0)
