# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Dialects"."""

from tirxcc.script import tirx as T


@T.prim_func
def native(a: T.handle, B: T.Buffer((1024,), "float32")):
    n = T.int32()
    A = T.match_buffer(a, (n, 32), "float32")
    T.device_entry()
    bx = T.cta_id([32])
    warp = T.warp_id([1])
    lane = T.lane_id([32])
    if bx < n and warp == 0:
        B[bx * 32 + lane] = T.max(A[bx, lane], T.float32(0.0))
