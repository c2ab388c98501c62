# SPDX-License-Identifier: Apache-2.0
"""The condition reads memory only while its guard holds."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.function
def while_short_circuit(A: T.Tensor((n, 8), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        k: T.int32 = 0
        while k < 8 and A[i, k] >= 0:
            k += 1
        O[i] = k
