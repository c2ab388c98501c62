# SPDX-License-Identifier: Apache-2.0
"""and, or look at the right side only when they must."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def short_circuit(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if i > 0 and A[i - 1] > A[i]:
            O[i] = 1
        elif i == 0 or A[i - 1] == A[i]:
            O[i] = 2
        else:
            O[i] = 3
