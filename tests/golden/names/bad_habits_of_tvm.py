# SPDX-License-Identifier: Apache-2.0
"""What TVM's schedules and handles would have, and what is written here."""

from tirxcc.script import tirx as T


@T.prim_func
def blocks(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.serial(64):
        with T.block("b"):
            vi = T.axis.spatial(64, i)
            B[vi] = A[vi]


@T.prim_func
def unmatched(a: T.handle, B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = a[t]
