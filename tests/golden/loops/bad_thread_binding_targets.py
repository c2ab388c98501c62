# SPDX-License-Identifier: Apache-2.0
"""A thread index has one name."""

from tirxcc.script import tirx as T


@T.prim_func
def thread_binding_targets(A: T.Buffer((32,), "float32")):
    for tx, ty in T.thread_binding(32, thread="threadIdx.x"):
        A[tx] = T.float32(1.0)
