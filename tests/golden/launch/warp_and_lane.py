# SPDX-License-Identifier: Apache-2.0
"""Native level: warp and lane make up the thread."""

from tirxcc.script import tirx as T


@T.prim_func
def warp_and_lane(O: T.Buffer((4, 32), "int32")):
    T.device_entry()
    bx = T.cta_id([1])
    warp = T.warp_id([4])
    lane = T.lane_id([32])
    O[warp, lane] = warp * 100 + lane
