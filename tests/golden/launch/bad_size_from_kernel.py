# SPDX-License-Identifier: Apache-2.0
"""A size is known before the kernel runs."""

from tirxcc.script import tirx as T


@T.prim_func
def size_from_kernel(A: T.Buffer((32,), "float32")):
    T.device_entry()
    tx = T.thread_id([32])
    bx = T.cta_id([T.cuda.thread_idx("x")])
    A[tx] = T.float32(1.0)
