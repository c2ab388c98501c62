# SPDX-License-Identifier: Apache-2.0
"""A handle is one tensor."""

from tirxcc.script import tirx as T


@T.prim_func
def matched_twice(a: T.handle):
    A = T.match_buffer(a, (32,), "float32")
    B = T.match_buffer(a, (32,), "float32")
    T.device_entry()
    tx = T.thread_id([32])
    A[tx] = B[tx]
