# SPDX-License-Identifier: Apache-2.0
"""A block has at most 1024 threads."""

from tirxcc.script import tirx as T


@T.prim_func
def native_block_too_large(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx, ty = T.thread_id([64, 32])
    A[tx] = T.float32(1.0)
