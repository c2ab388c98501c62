# SPDX-License-Identifier: Apache-2.0
"""`while True` that nothing leaves."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.inline
def first_above(A, limit):
    k: T.int32 = 0
    while True:
        if A[k] > limit:
            return k
        k += 1


@T.function
def never_ends(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    while True:
        A[i] += 1.0
        for k in range(4):
            if A[i] > 3.0:
                break


@T.function
def one(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    while 1:
        A[i] = first_above(A, A[i])


# These end: nothing is said.
@T.function
def ends(A: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n // 256, block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    while True:
        A[i] += 1.0
        if A[i] > 3.0:
            break
    A[i] = first_above(A, A[i])
    while True:
        for k in T.unroll(2):
            if A[i] > 3.0:
                T.gpu_thread_return()
