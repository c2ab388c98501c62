# SPDX-License-Identifier: Apache-2.0
"""In this dialect max and min are CUDA's own: a NaN gives way to the other operand."""

from tirxcc.script import tirx as T


@T.prim_func
def max_min_native(a: T.handle, b: T.handle, o: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n,), "float32")
    B = T.match_buffer(b, (n,), "float32")
    O = T.match_buffer(o, (n, 2), "float32")
    T.device_entry()
    bx = T.cta_id([(n + 127) // 128])
    tx = T.thread_id([128])
    i = bx * 128 + tx
    if i < n:
        O[i, 0] = T.max(A[i], B[i])
        O[i, 1] = T.min(A[i], B[i])
