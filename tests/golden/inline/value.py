# SPDX-License-Identifier: Apache-2.0
"""A function that is expanded at each call; an argument that costs something is computed once."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.inline
def square(x):
    return x * x


@T.inline
def blend(a, b, weight=0.5):
    left = a * weight
    return left + b * (1.0 - weight)


@T.function
def values(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), C: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        C[i] = square(A[i] + B[i]) + square(B[i])
        B[i] = blend(A[i], C[i])
        A[i] = blend(A[i], b=C[i], weight=0.25)
