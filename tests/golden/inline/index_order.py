# SPDX-License-Identifier: Apache-2.0
"""Indices, stored values, bounds and the items of tuples are read from left to right, also where a
later one expands to statements that change what an earlier one reads."""

from tirxcc.script import tirx as T


@T.inline
def raised(x):
    x = x + 1
    return x


@T.function
def index_order(
    A: T.Tensor((64, 64), T.int32), B: T.Tensor((64, 10), T.int32), C: T.Tensor((64, 64), T.int32)
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    k: T.int32 = t % 8
    B[t, 0] = A[k, raised(k)]
    B[t, 1] = A[raised(k), k]
    B[t, 2] = A[k * 2, raised(k) + raised(k)]
    B[t, raised(k) % 2 + 3] = k
    C[t, k] = A[t, k] + A[t, raised(k)]
    x, y = k, raised(k)
    B[t, 5] = x * 100 + y
    total = 0
    for i in range(k, raised(k) + 2):
        total += i
    B[t, 6] = total
    pair = [k, raised(k), k]
    B[t, 7] = pair[0] * 10000 + pair[1] * 100 + pair[2]
    k = k - 8
    C[t, raised(k) + k] += raised(k)
    B[t, 8], B[t, 9] = k, raised(k)
