# SPDX-License-Identifier: Apache-2.0
"""A handle that is indexed without match_buffer."""

from tirxcc.script import tirx as T


@T.prim_func
def handle_unmatched(a: T.handle):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([32])
    a[tx] = T.float32(1.0)
