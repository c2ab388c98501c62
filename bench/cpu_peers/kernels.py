# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/cpu.py, written as for a GPU: one element, row or tile a thread."""

from __future__ import annotations

import runpy
from pathlib import Path

from tirxcc.script import tirx as T

EXAMPLES = Path(__file__).parents[2] / "examples" / "control_flow"

n = T.dynamic("n")
SIDE = 4096
TILE = 32
COLUMNS = 1024
KEYS = 512
LIMIT = 256

relu, row_sum, binary_search = (
    runpy.run_path(str(EXAMPLES / f"{name}.py"))[name]
    for name in ("relu", "row_sum", "binary_search")
)


@T.function
def transpose(A: T.Tensor((SIDE, SIDE), T.float32), B: T.Tensor((SIDE, SIDE), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(SIDE // TILE, SIDE // TILE), block=(TILE, 8)))
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    bx = T.cuda.block_idx("x") * TILE
    by = T.cuda.block_idx("y") * TILE
    S = T.alloc_shared((TILE, TILE + 1), "float32")
    for k in T.unroll(4):
        S[ty + k * 8, tx] = A[by + ty + k * 8, bx + tx]
    T.cuda.cta_sync()
    for k in T.unroll(4):
        B[bx + ty + k * 8, by + tx] = S[tx, ty + k * 8]


@T.function
def transpose_4x4(A: T.Tensor((SIDE, SIDE), T.float32), B: T.Tensor((SIDE, SIDE), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(SIDE // 64, SIDE // 64), block=256))
    t = T.cuda.thread_idx("x")
    row = T.cuda.block_idx("y") * 64 + t // 16 * 4
    col = T.cuda.block_idx("x") * 64 + t % 16 * 4
    for r, c in T.grid(4, 4):
        B[col + c, row + r] = A[row + r, col + c]


@T.function
def block_sum(A: T.Tensor((n * 256,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    S[t] = A[bx * 256 + t]
    T.cuda.cta_sync()
    s: T.int32 = 128
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s >> 1
    if t == 0:
        B[bx] = S[0]


@T.function
def warp_sum(A: T.Tensor((n * 256,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((8,), "float32")
    v: T.float32 = A[bx * 256 + t]
    for k in T.unroll(5):
        v += T.cuda.__shfl_xor_sync(0xFFFFFFFF, v, 16 >> k, 32)
    if t % 32 == 0:
        S[t // 32] = v
    T.cuda.cta_sync()
    if t == 0:
        total: T.float32 = 0.0
        for w in T.unroll(8):
            total += S[w]
        B[bx] = total


@T.function
def matmul(
    A: T.Tensor((512, 512), T.float32),
    B: T.Tensor((512, 512), T.float32),
    C: T.Tensor((512, 512), T.float32),
):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(32, 32), block=(16, 16)))
    tx = T.cuda.thread_idx("x")
    ty = T.cuda.thread_idx("y")
    row = T.cuda.block_idx("y") * 16 + ty
    col = T.cuda.block_idx("x") * 16 + tx
    SA = T.alloc_shared((16, 16), "float32")
    SB = T.alloc_shared((16, 16), "float32")
    acc: T.float32 = 0.0
    for k in range(32):
        SA[ty, tx] = A[row, k * 16 + tx]
        SB[ty, tx] = B[k * 16 + ty, col]
        T.cuda.cta_sync()
        for j in range(16):
            acc += SA[ty, j] * SB[j, tx]
        T.cuda.cta_sync()
    C[row, col] = acc


@T.function
def stencil(A: T.Tensor((SIDE, SIDE), T.float32), B: T.Tensor((SIDE, SIDE), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(SIDE // 32, SIDE // 8), block=(32, 8)))
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    if x > 0 and x < SIDE - 1 and y > 0 and y < SIDE - 1:
        B[y, x] = 0.5 * A[y, x] + 0.125 * (A[y - 1, x] + A[y + 1, x] + A[y, x - 1] + A[y, x + 1])


@T.function
def histogram(A: T.Tensor((n,), T.int32), H: T.Tensor((256,), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=64, block=256))
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "int32")
    S[t] = 0
    T.cuda.cta_sync()
    i: T.int32 = T.cuda.block_idx("x") * 256 + t
    while i < n:
        T.cuda.atomic_add(S.ptr_to([A[i]]), 1)
        i += 64 * 256
    T.cuda.cta_sync()
    T.cuda.atomic_add(H.ptr_to([t]), S[t])


@T.function
def mandelbrot(N: T.Tensor((512, 1024), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=(32, 64), block=(32, 8)))
    x = T.cuda.block_idx("x") * 32 + T.cuda.thread_idx("x")
    y = T.cuda.block_idx("y") * 8 + T.cuda.thread_idx("y")
    cr = T.float32(x) * T.float32(3.0 / 1024) - T.float32(2.25)
    ci = T.float32(y) * T.float32(2.5 / 512) - T.float32(1.25)
    zr: T.float32 = 0.0
    zi: T.float32 = 0.0
    k: T.int32 = 0
    while k < LIMIT and zr * zr + zi * zi <= 4.0:
        r = zr * zr - zi * zi + cr
        zi = 2.0 * zr * zi + ci
        zr = r
        k += 1
    N[y, x] = k


@T.function
def bitonic_sort(A: T.Tensor((n, KEYS), T.int32), B: T.Tensor((n, KEYS), T.int32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=KEYS))
    bx = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((KEYS,), "int32")
    S[t] = A[bx, t]
    T.cuda.cta_sync()
    k: T.int32 = 2
    while k <= KEYS:
        j: T.int32 = k >> 1
        while j > 0:
            other = t ^ j
            if other > t:
                a = S[t]
                b = S[other]
                if (a > b) == ((t & k) == 0):
                    S[t] = b
                    S[other] = a
            T.cuda.cta_sync()
            j = j >> 1
        k = k << 1
    B[bx, t] = S[t]


@T.function
def softmax(A: T.Tensor((n, COLUMNS), T.float32), B: T.Tensor((n, COLUMNS), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=n, block=256))
    row = T.cuda.block_idx("x")
    t = T.cuda.thread_idx("x")
    S = T.alloc_shared((256,), "float32")
    most: T.float32 = A[row, t]
    for j in range(1, COLUMNS // 256):
        most = T.max(most, A[row, j * 256 + t])
    S[t] = most
    T.cuda.cta_sync()
    s: T.int32 = 128
    while s > 0:
        if t < s:
            S[t] = T.max(S[t], S[t + s])
        T.cuda.cta_sync()
        s = s >> 1
    most = S[0]
    T.cuda.cta_sync()
    total: T.float32 = 0.0
    for j in range(COLUMNS // 256):
        total += T.exp(A[row, j * 256 + t] - most)
    S[t] = total
    T.cuda.cta_sync()
    s = 128
    while s > 0:
        if t < s:
            S[t] += S[t + s]
        T.cuda.cta_sync()
        s = s >> 1
    total = S[0]
    for j in range(COLUMNS // 256):
        B[row, j * 256 + t] = T.exp(A[row, j * 256 + t] - most) / total
