# SPDX-License-Identifier: Apache-2.0
"""Ends of reductions and other parts of a kernel that only some warps run, or some of their lanes,
by their place in the block."""

from tirxcc.script import tirx as T


@T.function
def last_warp(A: T.Tensor((5, 512), T.float32), B: T.Tensor((5,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=5, block=512))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((512,), "float32")
    S[t] = A[bx, t]
    T.cuda.cta_sync()
    s: T.int32 = 256
    while s > 32:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s >> 1
    if t < 32:
        v: T.float32 = S[t] + S[t + 32]
        offset: T.int32 = 16
        while offset > 0:
            v += T.cuda.__shfl_down_sync(0xFFFFFFFF, v, offset, 32)
            offset = offset // 2
        if t == 0:
            B[bx] = v


@T.function
def first_lanes(A: T.Tensor((3, 256), T.int32), B: T.Tensor((3,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=3, block=256))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    lane = t % 32
    wid = t // 32
    S = T.alloc_shared((8,), "int32")
    v: T.int32 = A[bx, t]
    for k in T.unroll(5):
        v += T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 16 >> k, 32)
    if lane == 0:
        S[wid] = v
    T.cuda.cta_sync()
    if t < 8:
        v = S[lane]
        for k in T.unroll(3):
            v += T.cuda.__shfl_xor_sync(0xFF, v, 4 >> k, 8)
        if t == 0:
            B[bx] = v


@T.function
def by_their_number(A: T.Tensor((64, 4), T.int32), B: T.Tensor((64, 4), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(64, 4)))
    x = T.cuda.thread_idx("x")
    y = T.cuda.thread_idx("y")
    v: T.int32 = A[x, y]
    w = T.cuda.warp_id()
    if w % 3 == 1:
        v = T.cuda.__shfl_sync(0xFFFFFFFF, v, 7, 32)
        if y >= 2:
            v += T.cuda.__shfl_down_sync(0xFFFFFFFF, v + x, 2, 32)
    elif y == 3:
        v = -v if T.cuda.any_sync(0xFFFFFFFF, v > 90) else v
        v += T.int32(T.popcount(T.cuda.ballot_sync(0xFFFFFFFF, v % 2 == 0)))
    else:
        for k in range(2):
            v += T.cuda.__shfl_up_sync(0xFFFFFFFF, v, k + 1, 16)
    B[x, y] = v


@T.function
def warps_return(A: T.Tensor((256,), T.int32), B: T.Tensor((96,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "int32")
    S[t] = A[t] * 2
    T.cuda.cta_sync()
    if t >= 90:
        T.gpu_thread_return()
    B[t] = T.cuda.__shfl_up_sync(0xFFFFFFFF, S[t], 1, 32) + S[t + 96]


@T.function
def turn_by_turn(A: T.Tensor((6, 128), T.int32), B: T.Tensor((6,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=128))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((128,), "int32")
    total: T.int32 = 0
    for row in range(6):
        S[t] = A[row, t]
        T.cuda.cta_sync()
        if t < 64:
            S[t] += S[t + 64]
            T.cuda.warp_sync()
            mine: T.int32 = S[t]
            for k in T.unroll(5):
                mine += T.cuda.__shfl_down_sync(0xFFFFFFFF, mine, 16 >> k, 32)
            if t % 32 == 0:
                S[t] = mine
        T.cuda.cta_sync()
        total += S[0] + S[32]
        T.cuda.cta_sync()
        if t == 0:
            B[row] = total
