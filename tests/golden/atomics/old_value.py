# SPDX-License-Identifier: Apache-2.0
"""The value of an atomic is what the element was before; it is read once, where it stands."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def compact(
    A: T.Tensor((n,), T.float32),
    count: T.Tensor((1,), T.int32),
    total: T.Tensor((1,), T.int64),
    O: T.Tensor((n,), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n and A[i] > 0.0:
        place = T.cuda.atomic_add(count.ptr_to([0]), 1)
        O[place] = A[i]
        before = T.cuda.atomic_add(total.ptr_to([0]), i)
        if before % 2 == 1:
            unused = T.cuda.atomic_add(total.data, -1)
