# SPDX-License-Identifier: Apache-2.0
"""Behind the vote that ends a loop stands a return that then nobody reaches."""

from tirxcc.script import tirx as T


@T.prim_func
def return_after_vote(A: T.Buffer((32,), "int32"), O: T.Buffer((32,), "int32")):
    T.device_entry()
    t = T.thread_id([32])
    k: T.int32 = 0
    while k < 1 and T.cuda.syncthreads_and(A[t] > 0):
        T.gpu_thread_return()
    O[t] = A[t]
