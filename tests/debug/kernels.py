# SPDX-License-Identifier: Apache-2.0
"""Kernels that tests/debug steps through. `# stop: NAME` marks lines that the tests name."""

from tirxcc.script import tirx as T

n = T.dynamic("n")


@T.inline
def put(S, t, value):
    S[t] = value  # stop: inline


@T.function
def scaled(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32), by: T.float32):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 4), block=4))
    i = T.cuda.block_idx("x") * 4 + T.cuda.thread_idx("x")
    total: T.float32 = 0.0
    if i < n:  # stop: guard
        for k in range(3):
            total += A[i] * by + k  # stop: loop
        if total > 100.0:
            B[i] = 100.0  # stop: large
        else:
            B[i] = total  # stop: small


@T.function
def reversed_in_block(A: T.Tensor((2, 8), T.int32), flag: T.bool):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=8))
    t = T.cuda.thread_idx("x")
    row = T.cuda.block_idx("x")
    S = T.alloc_shared((8,), "int32")
    mine = T.alloc_local((2,), "int32")
    before = A[row, t]
    mine[0] = before * 10
    mine[1] = t
    seen: T.int32 = before + 1
    put(S, t, before)
    T.cuda.cta_sync()
    s: T.int32 = 4
    while s > 0:
        seen += S[7 - t] * s  # stop: turn
        T.cuda.cta_sync()
        s = s >> 1
    A[row, t] = seen + mine[0] + mine[1] + before  # stop: get


@T.function
def counted(A: T.Tensor((n,), T.int64), step: T.int64) -> T.int64:
    total: T.int64 = 0
    for i in range(n):
        total += A[i] * step  # stop: host
    return total
