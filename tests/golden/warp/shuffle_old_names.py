# SPDX-License-Identifier: Apache-2.0
"""Names of other versions of the language, which say the size of a warp; all are one thing."""

from tirxcc.script import tirx as T

M = 0xFFFFFFFF


@T.prim_func
def old_names(A: T.Buffer((32,), "float32"), B: T.Buffer((32, 12), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    B[t, 0] = T.tvm_warp_shuffle(M, A[t], 0, 32, 32)
    B[t, 1] = T.tvm_warp_shuffle_up(M, A[t], 1, 32, 32)
    B[t, 2] = T.tvm_warp_shuffle_down(M, A[t], 1, 32, 32)
    B[t, 3] = T.tvm_warp_shuffle_xor(M, A[t], 1, 32, 32)
    B[t, 4] = T.gpu_warp_shuffle(M, A[t], 0, 32, 32)
    B[t, 5] = T.gpu_warp_shuffle_up(M, A[t], 1, 32, 32)
    B[t, 6] = T.gpu_warp_shuffle_down(M, A[t], 1, 32, 32)
    B[t, 7] = T.gpu_warp_shuffle_xor(M, A[t], 1, 32, 32)
    B[t, 8] = T.cuda._shfl_sync(M, A[t], 0, 32)
    B[t, 9] = T.cuda._shfl_up_sync(M, A[t], 1, 32)
    B[t, 10] = T.cuda._shfl_down_sync(M, A[t], 1, 32)
    B[t, 11] = T.cuda._shfl_xor_sync(M, A[t], 1, 32)
