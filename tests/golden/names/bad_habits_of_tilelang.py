# SPDX-License-Identifier: Apache-2.0
"""Names of TileLang, and what is written here instead."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def habits_of_tilelang(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    acc = T.alloc_fragment((4,), T.float32)
    tx = T.get_thread_binding()
    bx = T.get_block_binding()
    T.clear(A)
    T.copy(A, A)
    T.print(A[i])
    for k in T.Pipelined(4):
        A[i] = T.relu(A[i])
    for k in T.Parallel(4):
        A[i] = A[i] + 1.0
    m = T.symbolic("m")
    T.tvm_storage_sync("shared")
