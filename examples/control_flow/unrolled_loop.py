# SPDX-License-Identifier: Apache-2.0
"""Native level: T.unroll is straight-line text, four statements and no loop."""

from tirxcc.script import tirx as T


@T.prim_func
def unrolled_loop(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        for k in T.unroll(4):
            A[i, k] = A[i, k] * T.float32(2.0)
