# SPDX-License-Identifier: Apache-2.0
"""Warps and lanes that do not make up the threads."""

from tirxcc.script import tirx as T


@T.prim_func
def native_inconsistent(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([256])
    warp = T.warp_id([4])
    lane = T.lane_id([32])
    A[tx] = T.float32(1.0)
