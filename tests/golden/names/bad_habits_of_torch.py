# SPDX-License-Identifier: Apache-2.0
"""What people write who know torch, Triton and Numba, and what a kernel says instead."""

import triton.language as tl
from numba import cuda
from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def habits(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=32))
    i = T.cuda.thread_idx("x")
    A[i] = A[i].to(T.float32)
    A[i] = T.maximum(A[i], 0.0)
    T.print(A[i])
    j = tl.cdiv(i, 2)
    cuda.atomic.add(A, j, 1.0)
