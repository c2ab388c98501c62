# SPDX-License-Identifier: Apache-2.0
"""Kernels with blocks and warps on the CPU target beside NumPy, numba (if installed) and C++.

Run it with .venv/bin/python on a quiet machine. Each line is the best of 20 runs, taken in turns;
`x` is the time over that of the fastest peer. The C++ is what g++ -O3 -march=native makes of the
plain loops below.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")
RUNS = 20

CPP = """
extern "C" {
void block_sum(const float* a, float* b, long blocks) {
  for (long k = 0; k < blocks; ++k) {
    float lanes[8] = {};
    for (int i = 0; i < 256; i += 8)
      for (int l = 0; l < 8; ++l) lanes[l] += a[k * 256 + i + l];
    float sum = 0;
    for (int l = 0; l < 8; ++l) sum += lanes[l];
    b[k] = sum;
  }
}
void matmul(const float* a, const float* b, float* c, long n) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) c[i * n + j] = 0;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
  }
}
void histogram(const int* a, int* h, long n) {
  for (long i = 0; i < n; ++i) ++h[a[i]];
}
}
"""


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


def best(calls: dict) -> dict[str, float]:
    """The shortest time of each, all run in turns."""
    times = dict.fromkeys(calls, float("inf"))
    for _ in range(RUNS):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def show(name: str, calls: dict) -> None:
    times = best(calls)
    peers = min(t for peer, t in times.items() if peer != "tirxcc")
    columns = "  ".join(f"{peer} {t * 1e3:8.3f} ms" for peer, t in times.items())
    print(f"{name:<12} {columns}  x {times['tirxcc'] / peers:.2f}")


def build_cpp() -> ctypes.CDLL:
    folder = Path(tempfile.mkdtemp())
    (folder / "peers.cc").write_text(CPP)
    command = ["g++", "-O3", "-march=native", "-shared", "-fPIC", "peers.cc", "-o", "peers.so"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.CDLL(str(folder / "peers.so"))


def pointers(*arrays: np.ndarray) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def compiled(kernel):
    start = time.perf_counter()
    executable = tirxcc.compile(kernel, target="cpu")
    print(f"{kernel.__name__:<12} compiled in {(time.perf_counter() - start) * 1e3:.1f} ms")
    return executable


def main() -> None:
    rng = np.random.default_rng(0)
    cpp = build_cpp()
    tirxcc.compile(block_sum, target="cpu")  # the plugin's first use is not a kernel's
    run = {k.__name__: compiled(k) for k in (block_sum, warp_sum, matmul, histogram)}

    blocks = 4096
    a = rng.standard_normal(blocks * 256, dtype=np.float32)
    b = np.empty(blocks, np.float32)
    for name in ("block_sum", "warp_sum"):
        calls = {
            "tirxcc": lambda name=name: run[name](a, b),
            "numpy": lambda: np.sum(a.reshape(blocks, 256), axis=1, out=b),
            "c++": lambda: cpp.block_sum(*pointers(a, b), ctypes.c_long(blocks)),
        }
        show(name, calls)
        calls["tirxcc"]()
        assert np.allclose(b, a.reshape(blocks, 256).sum(1), atol=1e-3), f"{name} is wrong"

    x, y = (rng.standard_normal((512, 512), dtype=np.float32) for _ in range(2))
    z = np.empty_like(x)
    show(
        "matmul",
        {
            "tirxcc": lambda: run["matmul"](x, y, z),
            "numpy": lambda: np.matmul(x, y, out=z),
            "c++": lambda: cpp.matmul(*pointers(x, y, z), ctypes.c_long(512)),
        },
    )
    run["matmul"](x, y, z)
    assert np.allclose(z, x @ y, atol=1e-2), "matmul is wrong"

    keys = rng.integers(0, 256, 1 << 22, dtype=np.int32)
    counts = np.zeros(256, np.int32)
    show(
        "histogram",
        {
            "tirxcc": lambda: run["histogram"](keys, counts),
            "numpy": lambda: np.bincount(keys, minlength=256),
            "c++": lambda: cpp.histogram(*pointers(keys, counts), ctypes.c_long(keys.size)),
        },
    )
    counts[:] = 0
    run["histogram"](keys, counts)
    assert np.array_equal(counts, np.bincount(keys, minlength=256)), "histogram is wrong"


if __name__ == "__main__":
    main()
