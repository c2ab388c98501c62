# SPDX-License-Identifier: Apache-2.0
"""A loop that waits for memory makes each thread a fiber."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def k(A: T.Tensor((n,), T.int32), F: T.Tensor((1,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 64), block=64))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((n,), "int32", scope="shared.dyn")
    while T.cuda.atomic_add(F.ptr_to([0]), 0) == 0:
        pass
    S[t] = A[t]
    T.ptx.bar.sync(1, 64)
    A[t] = S[t ^ 1]
