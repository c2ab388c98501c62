# SPDX-License-Identifier: Apache-2.0
"""'or' and 'and' of numbers give a bool, not one of them."""

from tirxcc.script import tirx as T


@T.function
def kernel(A: T.Tensor((64,), T.int32), S: T.Tensor((64, 6), T.int32), F: T.Tensor((64,), T.bool)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=64))
    t = T.cuda.thread_idx("x")
    S[t, 0] = A[t] or 7
    S[t, 1] = A[t] and 7
    S[t, 2] = (A[t] or S[t, 0]) + 1
    S[t, 3] = A[t] or S[t, 0] or 3
    S[t, 4] = A[t] > 0 or t > 3
    x = A[t] or 9
    S[t, 5] = x
    flag = A[t] or S[t, 0]
    if flag:
        S[t, 5] = 1
    F[t] = A[t] or S[t, 0]
    if A[t] or S[t, 0]:
        S[t, 5] = A[t] if A[t] else 7
