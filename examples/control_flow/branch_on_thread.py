# SPDX-License-Identifier: Apache-2.0
"""Native level: one side of the block doubles, the other adds one."""

from tirxcc.script import tirx as T


@T.prim_func
def branch_on_thread(A: T.Buffer((256,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([256])
    if tx < 128:
        A[tx] = A[tx] * T.float32(2.0)
    else:
        A[tx] = A[tx] + T.float32(1.0)
