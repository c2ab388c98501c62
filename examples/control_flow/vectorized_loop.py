# SPDX-License-Identifier: Apache-2.0
"""Native level: T.vectorized is one wide access to memory."""

from tirxcc.script import tirx as T


@T.prim_func
def vectorized_loop(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 4), "float32")
    B = T.match_buffer(b, (n, 4), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        for k in T.vectorized(4):
            B[i, k] = A[i, k] + T.float32(1.0)
