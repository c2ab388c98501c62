# SPDX-License-Identifier: Apache-2.0
"""How a contestant of bench/run.py measures: best of many, and beside a copy of the same arrays.

Imported by each contestant in a process of its own, so nothing but NumPy is loaded here.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import numpy as np

ELEMENTS = 1 << 26
RUNS = 20
TINY = 16


def milliseconds_to_import(name: str) -> float:
    """Over NumPy, which is loaded. Only the first time in a process counts."""
    begun = time.perf_counter()
    __import__(name)
    return (time.perf_counter() - begun) * 1e3


def seconds(call: Callable[[], object]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def best(call: Callable[[], object], runs: int) -> float:
    return min(seconds(call) for _ in range(runs))


def microseconds_a_call(call: Callable[[], object], calls: int = 2000, runs: int = 20) -> float:
    def many() -> None:
        for _ in range(calls):
            call()

    return best(many, runs) / calls * 1e6


def aligned(elements: int) -> np.ndarray:
    """float32 whose base is a multiple of 64, as some libraries want it."""
    memory = np.empty(elements * 4 + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + elements * 4].view(np.float32)


def inputs(elements: int) -> tuple[np.ndarray, np.ndarray]:
    a, b = aligned(elements), aligned(elements)
    a[:] = np.random.default_rng(0).standard_normal(elements, dtype=np.float32)
    b.fill(-1.0)
    return a, b


def large_relu(call: Callable[[np.ndarray, np.ndarray], object]) -> dict[str, float]:
    """B = relu(A) on 64 M elements, in turns with np.copyto on the same arrays."""
    a, b = inputs(ELEMENTS)
    call(a, b)
    if not np.array_equal(b, np.maximum(a, 0)):
        raise SystemExit("the ReLU is wrong")
    mine = copy = float("inf")
    for _ in range(RUNS):
        copy = min(copy, seconds(lambda: np.copyto(b, a)))
        mine = min(mine, seconds(lambda: call(a, b)))
    return {"ms": mine * 1e3, "copy_ms": copy * 1e3}


def report(**figures: object) -> None:
    print(json.dumps(figures))
