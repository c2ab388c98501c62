# SPDX-License-Identifier: Apache-2.0
"""Static arrays beyond 48 KiB move to the arena of dynamic shared memory."""

from tirxcc.script import tirx as T


@T.prim_func
def large(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (128, 128), "float32")
    B = T.match_buffer(b, (128, 128), "float32")
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    tile = T.alloc_buffer((128, 128), "float32", scope="shared")
    last = T.alloc_buffer((128,), "float32", scope="shared")
    for c in range(128):
        tile[t, c] = A[t, c]
    last[t] = A[t, 127]
    T.cuda.cta_sync()
    for c in range(128):
        B[t, c] = tile[c, t] + last[c]
