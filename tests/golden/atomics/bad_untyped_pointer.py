# SPDX-License-Identifier: Apache-2.0
"""An atomic must know what a pointer points to."""

from tirxcc.script import tirx as T


@T.prim_func
def kernel(p: T.handle):
    T.device_entry()
    T.cta_id([1])
    T.thread_id([32])
    T.cuda.atomic_add(p, 1)
