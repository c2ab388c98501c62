# SPDX-License-Identifier: Apache-2.0
"""As many strides as dimensions."""

from tirxcc.script import tirx as T


@T.prim_func
def stride_count(a: T.handle):
    A = T.match_buffer(a, (4, 8), "float32", strides=(8,))
    T.device_entry()
    tx = T.thread_id([4])
    A[tx, 0] = T.float32(1.0)
