# SPDX-License-Identifier: Apache-2.0
"""Lanes exist on a GPU only; a plain function has none."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def vote_on_host(A: T.Tensor((n,), T.int32)):
    for i in range(n):
        A[i] = T.cuda.any_sync(0xFFFFFFFF, A[i] > 0)
        T.cuda.atomic_add(A.ptr_to([i]), 1)
