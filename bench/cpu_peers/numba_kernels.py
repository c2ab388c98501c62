# SPDX-License-Identifier: Apache-2.0
"""The kernels of bench/cpu.py as a Numba user would write them for a CPU: prange over the outer
loop, no temporaries, fastmath off."""

from __future__ import annotations

import math

import numba
import numpy as np
from numba import prange

parallel = numba.njit(parallel=True)


@parallel
def relu(a, b):
    for i in prange(a.size):
        b[i] = a[i] if a[i] > 0.0 else np.float32(0.0)


@parallel
def row_sum(a, b):
    for i in prange(a.shape[0]):
        total = np.float32(0.0)
        for j in range(64):
            total += a[i, j]
        b[i] = total


@parallel
def transpose(a, b):
    tile = 32
    for block in prange(a.shape[0] // tile):
        for col in range(0, a.shape[1], tile):
            for r in range(block * tile, block * tile + tile):
                for c in range(col, col + tile):
                    b[r, c] = a[c, r]


@parallel
def binary_search(a, q, p):
    for i in prange(q.size):
        lo = 0
        hi = 64
        while lo < hi:
            mid = (lo + hi) >> 1
            if a[mid] < q[i]:
                lo = mid + 1
            else:
                hi = mid
        p[i] = lo


@parallel
def block_sum(a, b):
    for k in prange(b.size):
        lanes = np.zeros(8, np.float32)
        for i in range(k * 256, k * 256 + 256, 8):
            for lane in range(8):
                lanes[lane] += a[i + lane]
        total = np.float32(0.0)
        for lane in range(8):
            total += lanes[lane]
        b[k] = total


@parallel
def matmul(a, b, c):
    for i in prange(a.shape[0]):
        c[i, :] = 0
        for k in range(a.shape[1]):
            for j in range(b.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


@parallel
def stencil(a, b):
    half = np.float32(0.5)
    eighth = np.float32(0.125)
    for y in prange(1, a.shape[0] - 1):
        for x in range(1, a.shape[1] - 1):
            around = a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1]
            b[y, x] = half * a[y, x] + eighth * around


@parallel
def histogram(a, h):
    parts = numba.get_num_threads()
    counts = np.zeros((parts, 256), np.int32)
    size = (a.size + parts - 1) // parts
    for part in prange(parts):
        for i in range(part * size, min(a.size, part * size + size)):
            counts[part, a[i]] += 1
    for part in range(parts):
        h += counts[part]


@parallel
def mandelbrot(n):
    for y in prange(n.shape[0]):
        for x in range(n.shape[1]):
            cr = np.float32(x) * np.float32(3.0 / 1024) - np.float32(2.25)
            ci = np.float32(y) * np.float32(2.5 / 512) - np.float32(1.25)
            zr = np.float32(0.0)
            zi = np.float32(0.0)
            k = 0
            while k < 256 and zr * zr + zi * zi <= np.float32(4.0):
                r = zr * zr - zi * zi + cr
                zi = np.float32(2.0) * zr * zi + ci
                zr = r
                k += 1
            n[y, x] = k


@parallel
def sort_rows(a, b):
    for i in prange(a.shape[0]):
        b[i] = a[i]
        b[i].sort()


@parallel
def bitonic_sort(a, b):
    for i in prange(a.shape[0]):
        row = b[i]
        row[:] = a[i]
        k = 2
        while k <= 512:
            j = k >> 1
            while j > 0:
                for start in range(0, 512, 2 * j):
                    up = (start & k) == 0
                    for t in range(start, start + j):
                        low = min(row[t], row[t + j])
                        high = max(row[t], row[t + j])
                        row[t] = low if up else high
                        row[t + j] = high if up else low
                j >>= 1
            k <<= 1


@parallel
def softmax(a, b):
    for i in prange(a.shape[0]):
        most = a[i, 0]
        for j in range(a.shape[1]):
            most = max(most, a[i, j])
        total = np.float32(0.0)
        for j in range(a.shape[1]):
            b[i, j] = math.exp(a[i, j] - most)
            total += b[i, j]
        for j in range(a.shape[1]):
            b[i, j] /= total
