# SPDX-License-Identifier: Apache-2.0
"""No scope id says how many threads there are."""

from tirxcc.script import tirx as T


@T.prim_func
def native_no_threads(A: T.Buffer((128,), "float32")):
    T.device_entry()
    bx = T.cta_id([4])
    A[bx] = T.float32(1.0)
