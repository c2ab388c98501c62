# SPDX-License-Identifier: Apache-2.0
"""Native level: T.grid is a nest of loops, the last index runs fastest."""

from tirxcc.script import tirx as T


@T.prim_func
def grid_relu(A: T.Buffer((8, 8), "float32"), B: T.Buffer((8, 8), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([1])
    for i, j in T.grid(8, 8):
        B[i, j] = T.max(A[i, j], T.float32(0.0))
