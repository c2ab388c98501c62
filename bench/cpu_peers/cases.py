# SPDX-License-Identifier: Apache-2.0
"""What bench/cpu.py measures: for each kernel its arrays, what must come out, and the peers."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import kernels
import numba_kernels
import numpy as np

rng = np.random.default_rng(0)


@dataclass
class Case:
    """One line of the table."""

    kernel: object
    arrays: tuple
    result: object  # the array to look at
    expected: Callable[[], object]
    peers: dict[str, Callable[[], object]]
    copies: bool = False  # compare with np.copyto
    tolerance: float = 0.0
    before: Callable[[], object] = lambda: None  # before a run whose result is looked at
    times: dict[str, float] = field(default_factory=dict)


def build_cpp() -> ctypes.CDLL:
    folder = tempfile.mkdtemp()
    library = f"{folder}/peers.so"
    options = ["-O3", "-march=native", "-fopenmp", "-shared", "-fPIC"]
    subprocess.run(
        ["g++", *options, Path(__file__).parent / "kernels.cc", "-o", library], check=True
    )
    return ctypes.CDLL(library)


def cpp_call(function, *args) -> Callable[[], object]:
    words = [
        ctypes.c_long(a) if isinstance(a, int) else ctypes.c_void_p(a.ctypes.data) for a in args
    ]
    return lambda: function(*words)


def floats(*shape: int) -> np.ndarray:
    return rng.standard_normal(shape, dtype=np.float32)


def simple(cpp, name, arrays, sizes, expected, numpy=None, /, **options) -> Case:
    peers = {"c++": cpp_call(getattr(cpp, options.pop("cpp", name)), *arrays, *sizes)}
    numba = getattr(numba_kernels, options.pop("numba", name))
    peers["numba"] = lambda: numba(*arrays)
    if numpy is not None:
        peers["numpy"] = numpy
    return Case(getattr(kernels, name), arrays, arrays[-1], expected, peers, **options)


def relu(cpp: ctypes.CDLL) -> Case:
    a = floats(1 << 26)
    b = np.empty_like(a)
    return simple(
        cpp,
        "relu",
        (a, b),
        (a.size,),
        lambda: np.maximum(a, 0),
        lambda: np.maximum(a, 0, out=b),
        copies=True,
    )


def row_sum(cpp: ctypes.CDLL) -> Case:
    a = floats(1 << 20, 64)
    b = np.empty(len(a), np.float32)
    return simple(
        cpp,
        "row_sum",
        (a, b),
        (len(a),),
        lambda: a.sum(1),
        lambda: np.sum(a, axis=1, out=b),
        copies=True,
        tolerance=1e-3,
    )


def transpose(cpp: ctypes.CDLL, name: str = "transpose") -> Case:
    a = floats(kernels.SIDE, kernels.SIDE)
    b = np.empty_like(a)
    return simple(
        cpp,
        name,
        (a, b),
        (kernels.SIDE,),
        lambda: a.T,
        lambda: np.copyto(b, a.T),
        copies=True,
        cpp="transpose",
        numba="transpose",
    )


def binary_search(cpp: ctypes.CDLL) -> Case:
    a, q = np.sort(floats(64)), floats(1 << 22)
    p = np.empty(q.size, np.int32)
    return simple(
        cpp,
        "binary_search",
        (a, q, p),
        (q.size,),
        lambda: np.searchsorted(a, q),
        lambda: np.searchsorted(a, q),
    )


def block_sum(cpp: ctypes.CDLL, name: str = "block_sum") -> Case:
    a = floats(4096 * 256)
    b = np.empty(4096, np.float32)
    return simple(
        cpp,
        name,
        (a, b),
        (b.size,),
        lambda: a.reshape(-1, 256).sum(1),
        lambda: np.sum(a.reshape(-1, 256), axis=1, out=b),
        tolerance=1e-3,
        cpp="block_sum",
        numba="block_sum",
    )


def matmul(cpp: ctypes.CDLL) -> Case:
    a, b, c = floats(512, 512), floats(512, 512), floats(512, 512)
    return simple(
        cpp,
        "matmul",
        (a, b, c),
        (512,),
        lambda: a @ b,
        lambda: np.matmul(a, b, out=c),
        tolerance=1e-2,
    )


def stencil(cpp: ctypes.CDLL) -> Case:
    a = floats(kernels.SIDE, kernels.SIDE)
    b = np.zeros_like(a)

    def expected():
        around = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
        return np.pad(np.float32(0.5) * a[1:-1, 1:-1] + np.float32(0.125) * around, 1)

    return simple(
        cpp, "stencil", (a, b), (kernels.SIDE,), expected, expected, copies=True, tolerance=1e-5
    )


def histogram(cpp: ctypes.CDLL) -> Case:
    a = rng.integers(0, 256, 1 << 22, dtype=np.int32)
    h = np.zeros(256, np.int32)
    return simple(
        cpp,
        "histogram",
        (a, h),
        (a.size,),
        lambda: np.bincount(a, minlength=256),
        lambda: np.bincount(a, minlength=256),
        before=lambda: h.fill(0),
    )


def mandelbrot(cpp: ctypes.CDLL) -> Case:
    out = np.empty((512, 1024), np.int32)
    numba = np.empty_like(out)
    case = simple(cpp, "mandelbrot", (out,), out.shape, lambda: numba)
    case.peers["numba"] = lambda: numba_kernels.mandelbrot(numba)
    case.peers["numba"]()
    return case


def bitonic_sort(cpp: ctypes.CDLL) -> Case:
    a = rng.integers(-(1 << 30), 1 << 30, (2048, kernels.KEYS), dtype=np.int32)
    b = np.empty_like(a)

    def numpy():
        np.copyto(b, a)
        b.sort(axis=1)

    case = simple(
        cpp,
        "bitonic_sort",
        (a, b),
        (len(a),),
        lambda: np.sort(a, axis=1),
        numpy,
        cpp="sort_rows",
    )
    case.peers["numba sort"] = lambda: numba_kernels.sort_rows(a, b)
    return case


def softmax(cpp: ctypes.CDLL) -> Case:
    a = floats(2048, kernels.COLUMNS)
    b = np.empty_like(a)

    def numpy():
        np.subtract(a, a.max(1, keepdims=True), out=b)
        np.exp(b, out=b)
        np.divide(b, b.sum(1, keepdims=True), out=b)
        return b

    return simple(cpp, "softmax", (a, b), a.shape, lambda: numpy().copy(), numpy, tolerance=1e-5)


# How to make each line, by its kernel's name; its arrays are made only then.
CASES: dict[str, Callable[[ctypes.CDLL], Case]] = {
    "relu": relu,
    "row_sum": row_sum,
    "transpose": transpose,
    "binary_search": binary_search,
    "block_sum": block_sum,
    "matmul": matmul,
    "stencil": stencil,
    "histogram": histogram,
    "mandelbrot": mandelbrot,
    "bitonic_sort": bitonic_sort,
    "softmax": softmax,
    "transpose_4x4": partial(transpose, name="transpose_4x4"),
    "warp_sum": partial(block_sum, name="warp_sum"),
}
