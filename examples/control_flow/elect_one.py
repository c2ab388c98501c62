# SPDX-License-Identifier: Apache-2.0
"""Native level: one elected thread of each warp writes."""

from tirxcc.script import tirx as T


@T.prim_func
def elect_one(A: T.Buffer((4,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    warp = T.warp_id([4])
    lane = T.lane_id([32])
    if T.ptx.elect_sync():
        A[warp] = A[warp] + T.float32(1.0)
