# SPDX-License-Identifier: Apache-2.0
"""docs/language.md, part "Branches"."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def branches(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i >= n:
        T.gpu_thread_return()
    if A[i] > 1.0:
        B[i] = 1.0
    elif 0.0 < A[i] and i > 0:
        B[i] = A[i - 1]
    else:
        B[i] = 0.5 if A[i] < -1.0 else T.max(A[i], 0.0)
