# SPDX-License-Identifier: Apache-2.0
"""Operands are read from left to right, also where a later one expands to statements that change
what an earlier one reads."""

from tirxcc.script import tirx as T


@T.inline
def twice(x):
    x = x * 2
    return x


@T.function
def operand_order(A: T.Tensor((64,), T.int32), B: T.Tensor((64, 8), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")

    @T.inline
    def raise_first():
        A[t] = A[t] + 1
        return A[t]

    acc: T.int32 = t + 1
    B[t, 0] = acc + twice(acc)
    B[t, 1] = twice(acc) + acc
    B[t, 2] = acc * 10 + acc + twice(acc)
    if acc < twice(acc):
        B[t, 3] = T.max(acc, twice(acc) - 40)
    acc += twice(acc)
    B[t, 4] = acc
    B[t, 5] = A[t] + raise_first()
    B[t, 6] = A[t]
    A[t] += raise_first()
    other: T.int32 = 5
    B[t, 7] = other + twice(acc)
