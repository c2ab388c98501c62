# SPDX-License-Identifier: Apache-2.0
"""Memory-bound kernels on the CPU against interleaved `np.copyto` by bytes moved, best of 20.

Run it with .venv/bin/python on a quiet machine; 1.0 means as fast as the copy.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import tirxcc
from tirxcc.script import tirx as T

n = T.dynamic("n")
ELEMENTS = 1 << 26
RUNS = 20


@T.function
def relu(A: T.Tensor((n,), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        if A[i] > 0.0:
            B[i] = A[i]
        else:
            B[i] = 0.0


@T.function
def row_sum(A: T.Tensor((n, 64), T.float32), B: T.Tensor((n,), T.float32)):
    T.device_entry(launch=T.cuda.LaunchConfig(grid=T.ceildiv(n, 256), block=256))
    i = T.cuda.block_idx("x") * 256 + T.cuda.thread_idx("x")
    if i < n:
        total: T.float32 = 0.0
        for j in range(16):
            for k in T.unroll(4):
                total += A[i, j * 4 + k]
        B[i] = total


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def compare(name: str, kernel: Callable[[], object], moved: int, a: np.ndarray, b: np.ndarray):
    """Prints the kernel's share of the copy's rate, both measured in turns."""
    kernel_s = copy_s = float("inf")
    for _ in range(RUNS):
        copy_s = min(copy_s, seconds(lambda: np.copyto(b, a)))
        kernel_s = min(kernel_s, seconds(kernel))
    copy_rate = (a.nbytes + b.nbytes) / copy_s
    rate = moved / kernel_s
    print(
        f"{name:<10} {kernel_s * 1e3:8.2f} ms {rate / 1e9:7.2f} GB/s   "
        f"np.copyto {copy_s * 1e3:8.2f} ms {copy_rate / 1e9:7.2f} GB/s   "
        f"share {rate / copy_rate:.2f}"
    )


def main() -> None:
    a = np.random.default_rng(0).standard_normal(ELEMENTS, dtype=np.float32)
    b = np.empty_like(a)
    run = tirxcc.compile(relu, target="cpu")
    compare("relu", lambda: run(a, b), a.nbytes + b.nbytes, a, b)
    run(a, b)
    assert np.array_equal(b, np.maximum(a, 0)), "relu is wrong"

    rows = a.reshape(-1, 64)
    sums = np.empty(len(rows), np.float32)
    run_rows = tirxcc.compile(row_sum, target="cpu")
    compare("row_sum", lambda: run_rows(rows, sums), rows.nbytes + sums.nbytes, a, b)
    assert np.allclose(sums, rows.sum(1), atol=1e-3), "row_sum is wrong"


if __name__ == "__main__":
    main()
