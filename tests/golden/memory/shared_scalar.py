# SPDX-License-Identifier: Apache-2.0
"""A scalar in shared memory is used by its name."""

from tirxcc.script import tirx as T


@T.function
def shared(A: T.Tensor((256,), T.int32), O: T.Tensor((256,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    count = T.shared_scalar("int32")
    first = T.alloc_scalar("float32", "shared")
    if t == 0:
        count = 0
        first = 0.5
        first += 1.0
    T.cuda.cta_sync()
    if A[t] > 0:
        T.cuda.atomic_add(T.address_of(count), 1)
    T.cuda.cta_sync()
    O[t] = count + T.int32(first)
