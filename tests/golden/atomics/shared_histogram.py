# SPDX-License-Identifier: Apache-2.0
"""Atomics on shared memory, by a pointer with a name."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def histogram(A: T.Tensor((n,), T.uint8), H: T.Tensor((256,), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=64, block=256))
    t = T.cuda.thread_idx("x")
    bins = T.alloc_shared((256,), "uint32")
    bins[t] = 0
    T.cuda.cta_sync()
    i: T.int32 = T.cuda.block_idx("x") * 256 + t
    while i < n:
        bin = bins.ptr_to([A[i]])
        T.cuda.atomic_add(bin, 1)
        i += 64 * 256
    T.cuda.cta_sync()
    T.cuda.atomic_add(H.ptr_to([t]), bins[t])
