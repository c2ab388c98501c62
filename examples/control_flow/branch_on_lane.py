# SPDX-License-Identifier: Apache-2.0
"""Native level: the same branch taken by lane; every warp has both sides."""

from tirxcc.script import tirx as T


@T.prim_func
def branch_on_lane(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    warp = T.warp_id([4])
    lane = T.lane_id([32])
    if lane < 16:
        A[warp * 32 + lane] = A[warp * 32 + lane] * T.float32(2.0)
    else:
        A[warp * 32 + lane] = A[warp * 32 + lane] + T.float32(1.0)
