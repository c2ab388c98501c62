# SPDX-License-Identifier: Apache-2.0
"""Native level: T.serial is a plain loop without a pragma."""

from tirxcc.script import tirx as T


@T.prim_func
def serial_loop(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "float32")
    B = T.match_buffer(b, (n,), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        B[i] = T.float32(0.0)
        for k in T.serial(16):
            B[i] = B[i] + A[i, k]
