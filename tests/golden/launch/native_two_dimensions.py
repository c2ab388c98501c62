# SPDX-License-Identifier: Apache-2.0
"""Native level: two ids at once, extents in a list; the last extent is a formula."""

from tirxcc.script import tirx as T


@T.prim_func
def native_two_dimensions(a: T.handle, o: T.handle):
    h = T.int32()
    w = T.int32()
    A = T.match_buffer(a, (h, w), "int32")
    O = T.match_buffer(o, (w, h), "int32")
    T.device_entry()
    bx, by = T.cta_id([(w + 15) // 16, (h + 3) // 4])
    tx, ty = T.thread_id([16, 4])
    if bx * 16 + tx < w and by * 4 + ty < h:
        O[bx * 16 + tx, by * 4 + ty] = A[by * 4 + ty, bx * 16 + tx]
