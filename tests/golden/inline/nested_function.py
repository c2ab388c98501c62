# SPDX-License-Identifier: Apache-2.0
"""A function inside a kernel sees the kernel's names, and changes those that the kernel assigns."""

from tirxcc.script import tirx as T


@T.prim_func
def kernel(a: T.handle, o: T.handle):
    A = T.match_buffer(a, (64, 4), "float32")
    O = T.match_buffer(o, (64,), "float32")
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    best = A[t, 0]
    where = 0

    @T.inline
    def look(k):
        candidate = A[t, k]
        if candidate > best:
            best = candidate
            where = k

    look(1)
    look(2)
    look(3)
    O[t] = best * T.float32(where)
