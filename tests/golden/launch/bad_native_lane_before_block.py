# SPDX-License-Identifier: Apache-2.0
"""A block of several dimensions comes before its lanes."""

from tirxcc.script import tirx as T


@T.prim_func
def native_lane_before_block(A: T.Buffer((64,), "float32")):
    T.device_entry()
    lane = T.lane_id([32])
    tx, ty = T.thread_id([8, 8])
    A[lane] = T.float32(1.0)
