# SPDX-License-Identifier: Apache-2.0
"""Native level: a choice as an expression; no branch statement is printed."""

from tirxcc.script import tirx as T


@T.prim_func
def if_then_else(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        B[i] = T.if_then_else(A[i] > T.float32(0.0), A[i], A[i] * T.float32(0.5))
