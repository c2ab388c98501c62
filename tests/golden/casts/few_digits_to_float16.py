# SPDX-License-Identifier: Apache-2.0
"""Integers of few digits that are too large for float16 become infinite."""

from tirxcc.script import tirx as T


@T.prim_func
def few_digits_to_float16(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "float16")):
    T.device_entry()
    t = T.thread_id([64])
    x = T.float16(A[t] << 22)
    B[t] = T.fmod(x, x)
