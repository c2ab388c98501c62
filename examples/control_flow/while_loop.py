# SPDX-License-Identifier: Apache-2.0
"""Native level: a mutable scalar drives a while loop."""

from tirxcc.script import tirx as T


@T.prim_func
def while_loop(A: T.Buffer((64,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([1])
    i: T.int32 = 0
    while i < 64:
        A[i] = A[i] + T.float32(1.0)
        i += 1
