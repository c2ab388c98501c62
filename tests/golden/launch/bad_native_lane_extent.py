# SPDX-License-Identifier: Apache-2.0
"""A warp has 32 lanes."""

from tirxcc.script import tirx as T


@T.prim_func
def native_lane_extent(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    warp = T.warp_id([4])
    lane = T.lane_id([16])
    A[warp * 16 + lane] = T.float32(1.0)
