# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Memory": addresses of elements."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def addresses(
    A: T.Tensor((n, 2), T.int32), count: T.Tensor((4, 16), T.int32), most: T.Tensor((1,), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        place = count.ptr_to([A[i, 0] & 3, A[i, 1] & 15])
        before = T.cuda.atomic_add(place, 1)
        T.cuda.atomic_max(most.ptr_to([0]), before + 1)
