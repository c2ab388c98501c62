# SPDX-License-Identifier: Apache-2.0
"""Native level: break and continue, each thread on its own."""

from tirxcc.script import tirx as T


@T.prim_func
def native_break_continue(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, 16), "int32")
    B = T.match_buffer(b, (n,), "int32")
    T.device_entry()
    bx = T.cta_id([(n + 255) // 256])
    tx = T.thread_id([256])
    i = bx * 256 + tx
    if i < n:
        count: T.int32 = 0
        for k in T.serial(16):
            if A[i, k] < 0:
                continue
            if A[i, k] > 90:
                break
            count += 1
        B[i] = count
