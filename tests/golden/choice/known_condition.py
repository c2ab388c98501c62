# SPDX-License-Identifier: Apache-2.0
"""The side that is not taken is not even looked at."""

from tirxcc.script import tirx as T

n = T.dynamic("n")

WIDE = True


@T.function
def known_condition(A: T.Tensor((n,), T.int32), O: T.Tensor((n,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 128), block=128))
    i = T.cuda.block_idx("x") * 128 + T.cuda.thread_idx("x")
    if i < n:
        if WIDE:
            O[i] = A[i] * 2
        else:
            O[i] = no_such_name
