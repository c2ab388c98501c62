# SPDX-License-Identifier: Apache-2.0
"""As many names as extents."""

from tirxcc.script import tirx as T


@T.prim_func
def native_target_count(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx, by = T.cta_id([4])
    tx = T.thread_id([32])
    A[tx] = T.float32(1.0)
