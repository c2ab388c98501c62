# SPDX-License-Identifier: Apache-2.0
"""Several exchanges in a row, in blocks of several warps: also across parts of a warp only."""

from tirxcc.script import tirx as T


@T.function
def scans(A: T.Tensor((2, 96), T.float32), B: T.Tensor((2, 96), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=2, block=96))
    t = T.cuda.thread_idx("x")
    lane = t % 32
    S = T.alloc_shared((3,), "float32")
    v: T.float32 = A[T.cuda.block_idx("x"), t]
    for k in T.unroll(5):
        before = T.cuda.__shfl_up_sync(0xFFFFFFFF, v, 1 << k, 32)
        if lane >= 1 << k:
            v += before
    if lane == 31:
        S[t // 32] = v
    T.cuda.cta_sync()
    offset: T.float32 = 0.0
    for w in range(t // 32):
        offset += S[w]
    B[T.cuda.block_idx("x"), t] = v + offset


@T.function
def rows_and_groups(A: T.Tensor((4, 64), T.int64), B: T.Tensor((4, 64), T.int64)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(64, 4)))
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    v: T.int64 = A[ty, tx]
    v += T.cuda.__shfl_down_sync(0xFFFFFFFF, v, 3, 8) * 10
    v -= T.cuda.__shfl_up_sync(0xFFFFFFFF, v, 5, 16)
    v += T.cuda.__shfl_sync(0xFFFFFFFF, v, tx + 1, 4)
    B[ty, tx] = v


@T.function
def planes(A: T.Tensor((3, 2, 32), T.int32), B: T.Tensor((3, 2, 32), T.uint32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=(32, 2, 3)))
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    tz = T.cuda.thread_idx("z")
    a = A[tz, ty, tx]
    odd = T.cuda.ballot_sync(0xFFFFFFFF, a % 2 == 1)
    big = T.cuda.ballot_sync(0xFFFFFFFF, a > 50)
    total = T.cuda.reduce_add_sync_u32(0xFFFFFFFF, T.uint32(a))
    B[tz, ty, tx] = (odd & big) + total


@T.function
def halves(A: T.Tensor((256,), T.int32), B: T.Tensor((256,), T.int32), C: T.Tensor((1,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=1, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((8,), "int32")
    v: T.int32 = A[t]
    for k in T.unroll(5):
        v = T.max(v, T.cuda.__shfl_down_sync(0xFFFFFFFF, v, 16 >> k, 32))
    if t % 32 == 0:
        S[t // 32] = v
    T.cuda.cta_sync()
    if t < 32:
        w: T.int32 = S[t & 7]
        w = T.max(w, T.cuda.__shfl_xor_sync(0xFFFFFFFF, w, 4, 32))
        w = T.max(w, T.cuda.__shfl_xor_sync(0xFFFFFFFF, w, 2, 32))
        w = T.max(w, T.cuda.__shfl_xor_sync(0xFFFFFFFF, w, 1, 32))
        if t == 0:
            C[0] = w
    B[t] = T.cuda.__shfl_sync(0xFFFFFFFF, v, 0, 32) + A[t]
